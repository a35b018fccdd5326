#pragma once

#include <weft/device_info.h>

#include "backends/hip/functions.h"

namespace weft::hip {

/// What a device can do, or why Weft refuses it.
DeviceInfo describe(const DriverFunctions& functions, int ordinal);

/// With its features, as hipRTC takes it: "gfx90a:sramecc+:xnack-".
std::string architecture(const DriverFunctions& functions, int ordinal);
uint32_t multiprocessors(const DriverFunctions& functions, int ordinal);

}  // namespace weft::hip
