#pragma once

#include <chrono>

#include <weft/device_options.h>
#include <weft/weft_c.h>

namespace weft::c {

/// Null stands for what the environment says.
DeviceOptions options_of(const weft_device_options* given);

/// A time-out as Weft takes it: at most a hundred years, to which a clock's time can be added.
std::chrono::nanoseconds nanoseconds(uint64_t given);

}  // namespace weft::c
