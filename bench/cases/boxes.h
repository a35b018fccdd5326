#pragma once

#include <vector>

#include <weft/bvh_query.h>
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

/// Rays from the low corners of such boxes, in random directions.
inline std::vector<BvhRay> random_rays(uint64_t count, const RandomSource& seed) {
  const Boxes boxes = random_boxes(count, seed);
  std::vector<BvhRay> rays(count);
  for (size_t i = 0; i < rays.size(); ++i) {
    rays[i].origin = boxes[i].low;
    for (size_t axis = 0; axis < 3; ++axis) {
      rays[i].direction[axis] = random_element<float>(seed, 6 * count + 3 * i + axis) - 0.5f;
    }
  }
  return rays;
}

}  // namespace weft::bench
