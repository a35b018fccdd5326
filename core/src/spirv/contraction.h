#pragma once

#include <cstdint>
#include <vector>

namespace weft::core {

/// The words of a valid module with NoContraction (GLSL's `precise`) on every result of floating-point arithmetic, in
/// all of its functions: what Contraction::forbidden means to a backend. Built-in functions stay as they are.
std::vector<uint32_t> without_contraction(const std::vector<uint32_t>& words);

}  // namespace weft::core
