#pragma once

#include <memory>

#include "backends/cuda/compiler.h"
#include "backends/cuda/functions.h"
#include "backends/cuda_hip/device.h"

namespace weft::cuda {

/// Opens and initializes the driver. Throws unsupported, with the reason, if there is none.
std::shared_ptr<const DriverFunctions> open_driver(const DriverLibraries& libraries);

/// NVRTC. Its library is opened when it is needed.
std::shared_ptr<const Compiler> compiler_of(const DriverLibraries& libraries);

/// The setup of a device, without its context.
cuda_hip::Setup describe_setup(const std::shared_ptr<const DriverFunctions>& functions,
                               const DriverLibraries& libraries, int ordinal);

}  // namespace weft::cuda
