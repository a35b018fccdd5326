#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace weft::support {

/// Computes on the CPU the codes that weft::Morton gives `points`, of `dimensions` numbers each, in their own bounds
/// or, unless it is empty, in those: the low corner, then the high one.
std::vector<uint64_t> morton_codes(std::span<const float> points, uint32_t dimensions, bool wide,
                                   std::span<const float> bounds = {});

}  // namespace weft::support
