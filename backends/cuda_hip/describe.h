#pragma once

#include <weft/device_info.h>

namespace weft::cuda_hip {

/// Sets what a device of memory_bytes has by the way that its kernels are made and launched, whoever made it.
void describe_translated(DeviceInfo& info);

}  // namespace weft::cuda_hip
