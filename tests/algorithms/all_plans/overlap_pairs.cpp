#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include <weft/find_neighbours.h>

#include "tests/algorithms/all_plans/overlap_parts.h"
#include "tests/algorithms/reference/lbvh.h"
#include "tests/algorithms/reference/pairs.h"

namespace weft::test {
namespace {

constexpr uint32_t most_boxes = 1000, most_pairs = 300;

std::vector<TestBox> boxes_of(const Contents& contents) {
  std::vector<TestBox> boxes(number(contents, most_boxes));
  for (size_t i = 0; i < boxes.size(); ++i) {
    for (size_t axis = 0; axis < 3; ++axis) {
      const float scale = axis == 0 ? 10 : 1;
      boxes[i].low[axis] = scale * float(contents.at("primitives")[6 * i + axis]);
      boxes[i].high[axis] = scale * float(contents.at("primitives")[6 * i + 3 + axis]);
    }
  }
  return boxes;
}

// The leaves of a hierarchy, in which empty boxes are nowhere.
std::vector<uint32_t> leaves_of(std::vector<TestBox> boxes) {
  for (TestBox& box : boxes) {
    if (!share_a_point(box, box)) box.low = box.high = {NAN, NAN, NAN};
  }
  return build_lbvh(boxes, centers_of(boxes), 63).indices;
}

std::vector<IndexPair> pairs_of(BroadPhase method, const std::vector<TestBox>& boxes) {
  if (method == BroadPhase::brute_force) return pairs_by_brute_force(boxes);
  if (method == BroadPhase::sort_and_sweep) return pairs_in_order(boxes, order_along(boxes, 0));
  if (method == BroadPhase::bvh) return pairs_in_order(boxes, leaves_of(boxes));
  std::vector<uint32_t> order(boxes.size());  // All in one cell.
  std::iota(order.begin(), order.end(), 0u);
  return pairs_in_order(boxes, order);
}

void add_method(Cases& all, const Device& device, const char* variant, BroadPhase method) {
  const Element box = Element::structure({{"uvec3", "low"}, {"uvec3", "high"}});
  const std::string scale = "vec3(10.0, 1.0, 1.0)";  // The axis of the sweep.
  const FindPairs plan(device, BvhPrimitive::of(box, "vec3(x.low) * " + scale, "vec3(x.high) * " + scale), most_boxes,
                       {.method = method, .cell_size = 1000});
  all.push_back({"FindPairs",
                 variant,
                 {any("primitives", 6 * most_boxes), any("vertices", 0), written("pairs", 2 * most_pairs),
                  written_counts("found"), count_of("count", 990, most_boxes)},
                 plan.temporary_bytes(),
                 [=](Recorder& recorder, const Regions& at) {
                   plan.record(recorder, {at.at("primitives"), at.at("pairs"), output_of(at, "found"), on_device(at),
                                          at.at("temporary")});
                 },
                 [=](const Contents& before, Contents& after) {
                   const std::vector<IndexPair> pairs = pairs_of(method, boxes_of(before));
                   set(after, "found", pairs.size());
                   const size_t stored = std::min<size_t>(pairs.size(), most_pairs);
                   if (stored > 0) std::memcpy(after["pairs"].data(), pairs.data(), stored * sizeof(IndexPair));
                 }});
}

// Indices are 0 to 2. Coordinates are bits of small integers, so all centers are in one cell.
void add_indexed_triangles(Cases& all, const Device& device) {
  const FindPairs plan(device, BvhPrimitive::indexed_triangles(), most_boxes,
                       {.method = BroadPhase::bvh, .where = "floatBitsToUint(a.a.x) <= floatBitsToUint(b.c.y)"});
  all.push_back({"FindPairs",
                 "triangles by index",
                 {{"primitives", Fill::few, 3 * most_boxes},
                  any("vertices", 900),
                  written("pairs", 2 * most_pairs),
                  written_counts("found"),
                  count_of("count", 990, most_boxes)},
                 plan.temporary_bytes(),
                 [=](Recorder& recorder, const Regions& at) {
                   plan.record(recorder, {at.at("primitives"), at.at("pairs"), output_of(at, "found"), on_device(at),
                                          at.at("temporary"), at.at("vertices")});
                 },
                 [=](const Contents& before, Contents& after) {
                   const auto coordinate = [&](uint32_t triangle, size_t corner, size_t axis) {
                     return before.at("vertices")[3 * before.at("primitives")[3 * triangle + corner] + axis];
                   };
                   std::vector<TestBox> boxes(number(before, most_boxes));
                   for (uint32_t i = 0; i < boxes.size(); ++i) {
                     for (size_t axis = 0; axis < 3; ++axis) {
                       const auto [low, high] =
                           std::minmax({coordinate(i, 0, axis), coordinate(i, 1, axis), coordinate(i, 2, axis)});
                       boxes[i].low[axis] = std::bit_cast<float>(low);
                       boxes[i].high[axis] = std::bit_cast<float>(high);
                     }
                   }
                   std::vector<uint32_t> order(boxes.size());
                   std::iota(order.begin(), order.end(), 0u);
                   std::vector<IndexPair> pairs = pairs_in_order(boxes, order);
                   std::erase_if(pairs, [&](const IndexPair& pair) {
                     return coordinate(pair.first, 0, 0) > coordinate(pair.second, 2, 1);
                   });
                   set(after, "found", pairs.size());
                   const size_t stored = std::min<size_t>(pairs.size(), most_pairs);
                   if (stored > 0) std::memcpy(after["pairs"].data(), pairs.data(), stored * sizeof(IndexPair));
                 }});
}

// All points are within the radius of one another, and in one cell.
void add_neighbours(Cases& all, const Device& device, const char* variant, FindNeighbours::Method method) {
  constexpr uint32_t most_points = 200, most_neighbours = 5000;
  const FindNeighbours plan(device, Element::structure({{"uvec3", "at"}}), "vec3(x.at)", most_points,
                            {.method = method});
  all.push_back({"FindNeighbours",
                 variant,
                 {any("points", 3 * most_points), written("offsets", 2 * most_points + 2),
                  written("neighbours", most_neighbours), written_counts("found"), count_of("count", 190, most_points)},
                 plan.temporary_bytes(),
                 [=](Recorder& recorder, const Regions& at) {
                   plan.record(recorder, {at.at("points"), at.at("offsets"), at.at("neighbours"),
                                          output_of(at, "found"), on_device(at), 1e6f, at.at("temporary")});
                 },
                 [=](const Contents& before, Contents& after) {
                   const auto points = uint32_t(number(before, most_points));
                   std::vector<TestBox> boxes(points);
                   for (size_t i = 0; i < 3 * points; ++i) {
                     boxes[i / 3].low[i % 3] = boxes[i / 3].high[i % 3] = float(before.at("points")[i]);
                   }
                   std::vector<uint32_t> order(points);
                   std::iota(order.begin(), order.end(), 0u);
                   if (method == FindNeighbours::Method::bvh) order = leaves_of(boxes);
                   Words neighbours;
                   for (uint32_t i = 0; i < points; ++i) {
                     std::ranges::copy_if(order, std::back_inserter(neighbours), [&](uint32_t j) { return j != i; });
                     after["offsets"][2 * i] = uint32_t(neighbours.size()) - points + 1;
                     after["offsets"][2 * i + 1] = 0;
                   }
                   set(after, "offsets", neighbours.size(), points, most_points + 1);
                   set(after, "found", neighbours.size());
                   std::copy_n(neighbours.begin(), std::min<size_t>(neighbours.size(), most_neighbours),
                               after["neighbours"].begin());
                 }});
}

}  // namespace

void add_overlap_pairs(Cases& all, const Device& device) {
  add_method(all, device, "brute force", BroadPhase::brute_force);
  add_method(all, device, "sort and sweep", BroadPhase::sort_and_sweep);
  add_method(all, device, "uniform grid", BroadPhase::uniform_grid);
  add_method(all, device, "bvh", BroadPhase::bvh);
  add_indexed_triangles(all, device);
  add_neighbours(all, device, "uniform grid", FindNeighbours::Method::uniform_grid);
  add_neighbours(all, device, "bvh", FindNeighbours::Method::bvh);
}

}  // namespace weft::test
