#pragma once

#include <weft/device_info.h>

#include "backends/cuda/functions.h"

namespace weft::cuda {

/// What a device can do, or why Weft refuses it.
DeviceInfo describe(const DriverFunctions& functions, int ordinal);

/// "sm_90", as NVRTC takes it.
std::string architecture(const DriverFunctions& functions, int ordinal);
uint32_t multiprocessors(const DriverFunctions& functions, int ordinal);

}  // namespace weft::cuda
