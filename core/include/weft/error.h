#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace weft {

/// What kind of failure an Error reports. Pick by what the caller can do about it.
enum class ErrorCode {
  invalid_argument,  ///< The call was wrong: a bad name, size, alignment or type. Change the call.
  unsupported,       ///< The call was right, but this device or build cannot do it. Choose another device or path.
  out_of_memory,     ///< The device or the host refused memory. Free some, or ask for less.
  compile_failed,    ///< A kernel did not compile or is not valid SPIR-V. log() holds the compiler's messages.
  timeout,           ///< A wait ended before the work did. The work goes on; wait again, or give the device up.
  device_lost,       ///< The device stopped. Its objects are useless; the process and other devices are fine.
  kernel_failed,  ///< A kernel did what the device noticed to be wrong (a deadlock, an access out of bounds). Mend it.
  io_failed,      ///< A file could not be read or written (the cache, an input, an output).
};

/// The code's name as written above, e.g. "invalid_argument".
const char* to_string(ErrorCode code);

/// The one exception type of Weft's own; those of the standard library (std::bad_alloc) pass through. what() is a
/// sentence: what was tried, what was wrong, what would be right.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message, std::string log = {})
      : std::runtime_error(message), code_(code), log_(std::move(log)) {}

  ErrorCode code() const noexcept { return code_; }
  /// The compiler's own output for compile_failed, empty otherwise.
  const std::string& log() const noexcept { return log_; }

 private:
  ErrorCode code_;
  std::string log_;
};

}  // namespace weft
