#pragma once

#include <memory>

#include "backends/cuda/functions.h"
#include "backends/cuda_hip/device.h"

namespace weft::cuda {

/// The driver, ready for use. Throws Error(unsupported) that says why there is none.
std::shared_ptr<const DriverFunctions> open_driver(const DriverLibraries& libraries);

/// What a device is opened with, but for its context. Throws Error(unsupported) where there is no NVRTC.
cuda_hip::Setup describe_setup(const std::shared_ptr<const DriverFunctions>& functions,
                               const DriverLibraries& libraries, int ordinal);

}  // namespace weft::cuda
