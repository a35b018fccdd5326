#pragma once

#include <cstdint>
#include <vector>

namespace weft::core {

/// Inlines all functions into the module's entry points. Otherwise NVIDIA's driver keeps calls of functions with array
/// parameters, and the arrays in memory; docs/performance-drivers.md has the cost. Returns a module that SPIRV-Tools
/// cannot read unchanged.
std::vector<uint32_t> with_functions_inlined(const std::vector<uint32_t>& module);

}  // namespace weft::core
