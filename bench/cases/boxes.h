#pragma once

#include <algorithm>
#include <vector>

#include <weft/bvh_query.h>
#include <weft/reductions.h>

#include "bench/benchmark.h"

namespace weft::bench {

using Boxes = std::vector<Box<3>>;

/// Arranges boxes whose low corners are scattered in the unit cube: as `one_huge`, the first one is around all others;
/// as `clustered`, they move into 16 small cubes, and shrink so that each overlaps as many others as before.
inline void arrange_boxes(Boxes& boxes, const RandomSource& seed) {
  if (seed.distribution == Distribution::one_huge && !boxes.empty()) boxes[0] = {{0, 0, 0}, {2, 2, 2}};
  if (seed.distribution != Distribution::clustered) return;
  constexpr uint64_t clusters = 16;
  constexpr float cube = 0x1p-4f, shrunk = cube * 2.52f;  // times the cube root of 16
  for (size_t i = 0; i < boxes.size(); ++i) {
    const uint64_t cluster = random_bits(seed.seed + 2, clusters * 3 + i) % clusters;
    for (size_t axis = 0; axis < 3; ++axis) {
      const float edge = boxes[i].high[axis] - boxes[i].low[axis];
      const float corner = (1 - cube) * random_element<float>(seed.seed + 2, cluster * 3 + axis);
      boxes[i].low[axis] = corner + cube * boxes[i].low[axis];
      boxes[i].high[axis] = boxes[i].low[axis] + shrunk * edge;
    }
  }
}

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
  arrange_boxes(boxes, seed);
  return boxes;
}

/// The boxes of the problem's mesh, or random ones.
inline Boxes scene_of(const Problem& problem) {
  if (problem.mesh.empty()) return random_boxes(problem.count, problem.seed);
  return {problem.mesh.begin(), problem.mesh.end()};
}

/// As many other boxes: random ones, fitted into the box around the mesh if there is one.
inline Boxes random_query_boxes(const Problem& problem) {
  Boxes boxes = random_boxes(problem.count, RandomSource(problem.seed.seed + 1));
  if (problem.mesh.empty()) return boxes;
  for (size_t axis = 0; axis < 3; ++axis) {
    const auto high = [&](const Box<3>& box) { return box.high[axis]; };
    const float extent = high(std::ranges::max(problem.mesh, {}, high));
    for (Box<3>& box : boxes) {
      box.low[axis] *= extent;
      box.high[axis] *= extent;
    }
  }
  return boxes;
}

/// Rays from the low corners of such boxes, in random directions.
inline std::vector<BvhRay> random_rays(const Problem& problem) {
  const Boxes boxes = random_query_boxes(problem);
  std::vector<BvhRay> rays(boxes.size());
  for (size_t i = 0; i < rays.size(); ++i) {
    rays[i].origin = boxes[i].low;
    for (size_t axis = 0; axis < 3; ++axis) {
      const uint64_t index = 6 * problem.count + 3 * i + axis;
      rays[i].direction[axis] = random_element<float>(problem.seed.seed + 1, index) - 0.5f;
    }
  }
  return rays;
}

// Device memory for one set: Benchmark::set_bytes.
inline uint64_t boxes_and_nodes(uint32_t, uint64_t count) { return (24 + 64 + 2 * 4) * count; }
inline uint64_t queries_and_hits(uint32_t, uint64_t count) { return (32 + 16 + 8) * count; }

}  // namespace weft::bench
