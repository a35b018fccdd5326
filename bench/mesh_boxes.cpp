#include "bench/mesh_boxes.h"

#include <algorithm>
#include <limits>

namespace weft::bench {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr Box<3> nothing{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};

void extend(Box<3>& box, const std::array<float, 3>& point) {
  for (size_t axis = 0; axis < 3; ++axis) {
    box.low[axis] = std::min(box.low[axis], point[axis]);
    box.high[axis] = std::max(box.high[axis], point[axis]);
  }
}

}  // namespace

std::vector<Box<3>> boxes_of_mesh(const support::Mesh& mesh) {
  std::vector<Box<3>> boxes;
  Box<3> all = nothing;
  for (const std::array<uint32_t, 3>& triangle : mesh.triangles) {
    Box<3>& box = boxes.emplace_back(nothing);
    for (const uint32_t vertex : triangle) extend(box, mesh.vertices[vertex]);
    extend(all, box.low);
    extend(all, box.high);
  }
  // In double precision: the difference of two floats may be infinite.
  double longest = 0;
  for (size_t axis = 0; axis < 3; ++axis) longest = std::max(longest, double(all.high[axis]) - double(all.low[axis]));
  if (longest == 0) longest = 1;  // All vertices are the same.
  for (Box<3>& box : boxes) {
    for (size_t axis = 0; axis < 3; ++axis) {
      const auto moved = [&](float x) { return float((double(x) - double(all.low[axis])) / longest); };
      box.low[axis] = moved(box.low[axis]);
      box.high[axis] = moved(box.high[axis]);
    }
  }
  return boxes;
}

}  // namespace weft::bench
