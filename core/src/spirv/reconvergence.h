#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft::vulkan {

/// The module with SPV_KHR_maximal_reconvergence declared for `entry`: one OpExtension and one OpExecutionMode more.
/// GLSL compilers before 14 cannot ask for it in the source. A module that declares it already is returned as it is.
std::vector<uint32_t> with_maximal_reconvergence(const std::vector<uint32_t>& module, const std::string& entry);

}  // namespace weft::vulkan
