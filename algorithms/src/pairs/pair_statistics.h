#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <weft/device.h>
#include <weft/element.h>
#include <weft/reduce.h>
#include <weft/tuning.h>

namespace weft::algorithms {

/// A box in order bits, as shaders/kernels/pairs/boxes.glsl stores it.
inline Element box_bits() { return Element::structure({{"uvec3", "low"}, {"uvec3", "high"}}); }

/// GLSL expression of the floats of a corner, of which `bits` is the expression; weft_corner_of_bits() of that file,
/// for kernels that do not include it.
std::string corner_of_bits(const std::string& bits);

/// Sums over boxes: their centers, the squares of these, the number of boxes, their longest edges, and the
/// square roots of these.
inline Element pair_statistics() {
  return Element::structure(
      {{"vec3", "sum"}, {"vec3", "squares"}, {"float", "number"}, {"float", "edges"}, {"float", "roots"}});
}

/// Computes the statistics of boxes, without those that are empty, or so far away that a square is infinite.
/// In a fixed order, so that the order of pairs does not depend on how the count is given.
Reduce reduce_to_statistics(const Device& device, uint64_t max_count, const std::optional<Tuning>& tuning);

}  // namespace weft::algorithms
