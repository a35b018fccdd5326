#pragma once

#include <weft/device_info.h>

#include "backends/hip/functions.h"

namespace weft::hip {

/// The capabilities of a device, or the reason why Weft refuses it.
DeviceInfo describe(const DriverFunctions& functions, int ordinal);

/// The architecture with its features, in hipRTC's form: "gfx90a:sramecc+:xnack-".
std::string architecture(const DriverFunctions& functions, int ordinal);
uint32_t multiprocessors(const DriverFunctions& functions, int ordinal);

}  // namespace weft::hip
