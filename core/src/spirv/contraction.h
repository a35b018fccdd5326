#pragma once

#include <cstdint>
#include <vector>

namespace weft::core {

/// Adds NoContraction (GLSL's `precise`) to every result of floating-point arithmetic in a valid module: implements
/// Contraction::forbidden. Does not affect built-in functions.
std::vector<uint32_t> without_contraction(const std::vector<uint32_t>& words);

}  // namespace weft::core
