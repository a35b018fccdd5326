#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include <weft/error.h>
#include <weft/messages.h>

namespace weft::core {

/// "1.50 GiB"
std::string gibibytes(uint64_t bytes);

/// What a wait on `device`, as its driver calls it, throws when `timeout` is over.
Error timed_out(const std::string& device, std::chrono::nanoseconds timeout);

/// What reading a timestamp throws before the device has passed it.
Error not_passed();

/// Gives a message to `callback`, or prints it to stderr where that is empty.
void report(const MessageCallback& callback, MessageSeverity severity, const std::string& text) noexcept;

}  // namespace weft::core
