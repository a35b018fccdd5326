#pragma once

#include <weft/device_info.h>

namespace weft::cuda_hip {

/// Sets the limits and features that follow from how Weft translates and launches kernels. memory_bytes must be set.
void describe_translated(DeviceInfo& info);

}  // namespace weft::cuda_hip
