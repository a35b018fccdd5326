#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include <weft/api.h>

namespace weft {

/// The kind of failure, by what the caller can do about it.
enum class ErrorCode {
  invalid_argument,  ///< The call is wrong: a bad name, size, alignment or type. Change the call.
  unsupported,       ///< The call is right, but this device or build cannot do it. Choose another device or method.
  out_of_memory,     ///< The device or the host has too little memory. Free some, or ask for less.
  compile_failed,    ///< A kernel did not compile or is not valid SPIR-V. log() holds the compiler's messages.
  timeout,           ///< A wait ended before the work did. The work continues; wait again, or give up the device.
  device_lost,       ///< The device stopped. Its objects are unusable; the process and other devices are fine.
  kernel_failed,     ///< The device found an error in a kernel (a deadlock, an access out of bounds). Fix the kernel.
  io_failed,         ///< A file could not be read or written (the cache, an input, an output).
};

/// The code's name as written above, e.g. "invalid_argument".
WEFT_API const char* to_string(ErrorCode code);

/// What Weft throws; standard exceptions such as std::bad_alloc pass through. what() is a sentence: what was tried,
/// what was wrong, what would be right.
class WEFT_API Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message, std::string log = {})
      : std::runtime_error(message), code_(code), log_(std::move(log)) {}

  ErrorCode code() const noexcept { return code_; }
  /// The output of the compiler for compile_failed; otherwise empty.
  const std::string& log() const noexcept { return log_; }

 private:
  ErrorCode code_;
  std::string log_;
};

}  // namespace weft
