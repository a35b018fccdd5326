#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include <weft/error.h>
#include <weft/messages.h>

namespace weft::core {

/// "1.50 GiB"
std::string gibibytes(uint64_t bytes);

/// The number, with a negative number that it may have been: "18446744073709551615 (-1 without its sign)".
std::string count_text(uint64_t count);

/// Throws invalid_argument with a sentence; the second form puts the plan or function at fault before it: "Sort: ...".
[[noreturn]] void invalid(const std::string& sentence);
[[noreturn]] void invalid(const std::string& plan, const std::string& sentence);

/// Throws unsupported for a mistake of Weft's own, which no argument avoids. `what` completes "This build of Weft ...".
[[noreturn]] void own_mistake(const std::string& what);

/// The error of a wait that exceeded `timeout`. `device`: the driver's name of the device.
Error timed_out(const std::string& device, std::chrono::nanoseconds timeout);

/// The error of reading a timestamp that the device has not reached.
Error not_passed();

/// Passes a message, which is `text` and `more`, to `callback`, or prints it to stderr if that is empty. Without memory
/// for its text, a callback gets none.
void report(const MessageCallback& callback, MessageSeverity severity, std::string_view text,
            std::string_view more = {}) noexcept;

}  // namespace weft::core
