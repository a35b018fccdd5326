#pragma once

#include <cstdint>
#include <vector>

#include <weft/device_info.h>
#include <weft/spirv.h>

#include "core/src/runtime/kernel_store.h"

namespace weft::core {

/// Whether a device's driver gets modules without calls: see with_functions_inlined().
bool takes_inlined(const DeviceInfo& device);

/// The module with all functions inlined, from a pack or made.
std::vector<uint32_t> inlined_module(const KernelStore& kernels, const Spirv& module);

}  // namespace weft::core
