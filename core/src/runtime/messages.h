#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include <weft/error.h>

namespace weft::core {

/// "1.50 GiB"
std::string gibibytes(uint64_t bytes);

/// What a wait on `device`, as its driver calls it, throws when `timeout` is over.
Error timed_out(const std::string& device, std::chrono::nanoseconds timeout);

/// What reading a timestamp throws before the device has passed it.
Error not_passed();

/// Tells on standard error what goes on all the same, the first time that it is called with this flag.
void warn_once(std::atomic_flag& said, const std::string& message);

}  // namespace weft::core
