#pragma once

#include <memory>

#include "backends/cuda/functions.h"
#include "backends/cuda_hip/device.h"

namespace weft::cuda {

/// Opens and initializes the driver. Throws unsupported, with the reason, if there is none.
std::shared_ptr<const DriverFunctions> open_driver(const DriverLibraries& libraries);

/// The setup of a device, without its context. Throws unsupported if there is no NVRTC.
cuda_hip::Setup describe_setup(const std::shared_ptr<const DriverFunctions>& functions,
                               const DriverLibraries& libraries, int ordinal);

}  // namespace weft::cuda
