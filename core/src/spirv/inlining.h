#pragma once

#include <cstdint>
#include <vector>

namespace weft::vulkan {

/// The module with all functions inlined into its entry points. NVIDIA's driver keeps functions that take arrays as
/// calls, with the arrays in memory: docs/performance-notes.md has what that costs. A module that SPIRV-Tools cannot
/// read is returned as it is.
std::vector<uint32_t> with_functions_inlined(const std::vector<uint32_t>& module);

}  // namespace weft::vulkan
