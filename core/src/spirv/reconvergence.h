#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft::vulkan {

/// Declares SPV_KHR_maximal_reconvergence for `entry`: adds an OpExtension and an OpExecutionMode. GLSL cannot request
/// it before glslang 14. Returns a module that already declares it unchanged.
std::vector<uint32_t> with_maximal_reconvergence(const std::vector<uint32_t>& module, const std::string& entry);

}  // namespace weft::vulkan
