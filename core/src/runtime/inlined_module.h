#pragma once

#include <cstdint>
#include <vector>

#include <weft/device_info.h>
#include <weft/spirv.h>

namespace weft::backend {
class Device;
}

namespace weft::core {

/// Whether a device's driver gets modules without calls: see with_functions_inlined().
bool takes_inlined(const DeviceInfo& device);

/// The module with all functions inlined, from a pack of the device's or made.
std::vector<uint32_t> inlined_module(const backend::Device& device, const Spirv& module);

}  // namespace weft::core
