#pragma once

#include <span>
#include <string>

namespace weft::vulkan {

class Device;

/// Throws unsupported if the device lacks what entry point `entry` of a valid module needs beyond its capabilities: the
/// version of SPIR-V, execution modes of floating point, and features that depend on an instruction's types and memory.
void check_needs(std::span<const uint32_t> module, const std::string& entry, const std::string& kernel,
                 const Device& device);

}  // namespace weft::vulkan
