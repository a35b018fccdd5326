#pragma once

#include <weft/device_info.h>

#include "backends/cuda/functions.h"

namespace weft::cuda {

/// The capabilities of a device, or the reason why Weft refuses it.
DeviceInfo describe(const DriverFunctions& functions, int ordinal);

/// The architecture in NVRTC's form: "sm_90".
std::string architecture(const DriverFunctions& functions, int ordinal);
uint32_t multiprocessors(const DriverFunctions& functions, int ordinal);

}  // namespace weft::cuda
