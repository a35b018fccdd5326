#pragma once

#include <string>

#include <weft/device_info.h>
#include <weft/kernel.h>

#include "core/src/runtime/cache.h"
#include "core/src/runtime/prepared_kernel.h"

namespace weft::core {

/// A hash of the sources that prepare kernels. CMake generates the definition.
const char* preparation_version();

/// Names what prepare() is made of, for keys of caches: its sources and SPIRV-Tools.
std::string preparation_tools();

/// Validates and reflects a module. The result depends on `device` only through the capabilities that the module
/// declares and the device lacks, and whether it lacks scalar layout. Keeps what the validator said in `cache`.
///
/// Throws what Device::kernel() throws for a module that is not valid, or not with the values of its specialization
/// constants, and unsupported for one that needs a capability that the device lacks.
PreparedKernel prepare(const Spirv& given, const KernelOptions& options, const DeviceInfo& device, const Cache& cache);

}  // namespace weft::core
