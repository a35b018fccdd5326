#pragma once

#include <vector>

#include <weft/reductions.h>

#include "bench/benchmark.h"

namespace weft::bench {

using Boxes = std::vector<Box<3>>;

/// Boxes with random low corners in the unit cube, as large as leaves few overlaps.
inline Boxes random_boxes(uint64_t count, const RandomSource& seed) {
  Boxes boxes(count);
  constexpr float most_extent = 0x1p-7f;
  for (size_t i = 0; i < boxes.size(); ++i) {
    for (size_t axis = 0; axis < 3; ++axis) {
      boxes[i].low[axis] = random_element<float>(seed, 6 * i + axis);
      boxes[i].high[axis] = boxes[i].low[axis] + most_extent * random_element<float>(seed, 6 * i + 3 + axis);
    }
  }
  return boxes;
}

}  // namespace weft::bench
