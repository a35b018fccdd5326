#include "tests/algorithms/reference/lbvh.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <ranges>

#include "tests/algorithms/reference/morton.h"

namespace weft::test {
namespace {

constexpr uint32_t leaf = tree::leaf, none = tree::none;

Box<3> as_box(const TestBox& box) { return {box.low, box.high}; }

bool same(const Box<3>& a, const TestBox& b) { return std::memcmp(&a, &b, sizeof b) == 0; }

TestBox fold(const std::vector<TestBox>& boxes, const std::vector<uint32_t>& indices, uint32_t first, uint32_t last) {
  TestBox all = boxes[indices[first]];
  for (uint32_t i = first + 1; i <= last; ++i) all = united(all, boxes[indices[i]]);
  return all;
}

/// Splits ranges of leaves where the highest bit is set that differs between the first and the last leaf.
class Splits {
 public:
  explicit Splits(const std::vector<uint64_t>& codes) : codes_(codes) {}

  /// The last leaf of the first half.
  uint32_t last_of_first(uint32_t first, uint32_t last) const {
    const uint64_t by_code = codes_[first] ^ codes_[last], differing = by_code ? by_code : first ^ last;
    const uint64_t bit = uint64_t(1) << (63 - std::countl_zero(differing));
    while (last - first > 1) {
      const uint32_t middle = first + (last - first) / 2;
      const bool in_second = ((by_code ? codes_[middle] : middle) & bit) != 0;
      (in_second ? last : first) = middle;
    }
    return first;
  }

 private:
  const std::vector<uint64_t>& codes_;
};

}  // namespace

std::vector<std::array<float, 3>> centers_of(const std::vector<TestBox>& boxes) {
  std::vector<std::array<float, 3>> centers;
  for (const TestBox& box : boxes) {
    std::array<float, 3> center;
    for (size_t axis = 0; axis < 3; ++axis) center[axis] = 0.5f * box.low[axis] + 0.5f * box.high[axis];
    centers.push_back(center);
  }
  return centers;
}

SortedCenters::SortedCenters(const std::vector<std::array<float, 3>>& centers, uint32_t code_bits)
    : indices(centers.size()) {
  const std::vector<uint64_t> unsorted = morton_codes(centers, finite_bounds(centers), code_bits > 32);
  std::iota(indices.begin(), indices.end(), 0u);
  std::ranges::stable_sort(indices, {}, [&](uint32_t i) { return unsorted[i]; });
  for (const uint32_t i : indices) codes.push_back(unsorted[i]);
}

TestLbvh build_lbvh(const std::vector<TestBox>& boxes, const std::vector<std::array<float, 3>>& centers,
                    uint32_t code_bits) {
  const SortedCenters sorted(centers, code_bits);
  const Splits splits(sorted.codes);
  return assemble_lbvh(boxes, sorted.indices,
                       [&](uint32_t first, uint32_t last) { return splits.last_of_first(first, last); });
}

TestLbvh assemble_lbvh(const std::vector<TestBox>& boxes, const std::vector<uint32_t>& indices,
                       const TestSplit& split_of) {
  const auto count = uint32_t(boxes.size());
  TestLbvh lbvh{std::vector<BvhNode>(std::max(count, 1u) - 1), indices, std::vector<uint32_t>(count, none),
                as_box(no_box())};
  if (count == 0) return lbvh;
  if (count == 1) {
    lbvh.bounds = as_box(boxes[0]);
    return lbvh;
  }
  struct Work {
    uint32_t node, parent, first, last;
  };
  std::vector<Work> todo{{0, none, 0, count - 1}};
  std::vector<uint32_t> from_top;
  while (!todo.empty()) {
    const Work work = todo.back();
    todo.pop_back();
    from_top.push_back(work.node);
    BvhNode& node = lbvh.nodes[work.node];
    node.parent = work.parent;
    node.end = work.first == work.node ? work.last : work.first;
    const uint32_t split = split_of(work.first, work.last);
    const std::pair<uint32_t, uint32_t> halves[] = {{work.first, split}, {split + 1, work.last}};
    for (uint32_t k = 0; k < 2; ++k) {
      const auto& [first, last] = halves[k];
      const uint32_t index = k == 0 ? last : first;
      node.children[k] = first == last ? leaf + index : index;
      if (first == last) {
        lbvh.leaf_parents[index] = work.node;
      } else {
        todo.push_back({index, work.node, first, last});
      }
    }
  }
  std::vector<TestBox> of_nodes(count - 1);
  for (const uint32_t i : std::views::reverse(from_top)) {
    BvhNode& node = lbvh.nodes[i];
    TestBox below[2];
    for (uint32_t k = 0; k < 2; ++k) {
      const uint32_t child = node.children[k];
      below[k] = child >= leaf ? boxes[lbvh.indices[child - leaf]] : of_nodes[child];
      node.boxes[k] = as_box(below[k]);
    }
    of_nodes[i] = united(below[0], below[1]);
  }
  lbvh.bounds = as_box(of_nodes[0]);
  return lbvh;
}

void check_lbvh(const TestLbvh& lbvh, const std::vector<TestBox>& boxes, uint32_t code_bits) {
  const auto count = uint32_t(boxes.size());
  REQUIRE_EQ(lbvh.nodes.size(), std::max(count, 1u) - 1);
  std::vector<uint32_t> primitives = lbvh.indices;
  std::ranges::sort(primitives);
  for (uint32_t i = 0; i < count; ++i) REQUIRE_EQ(primitives[i], i);
  if (count == 0) {
    CHECK(same(lbvh.bounds, no_box()));
    return;
  }
  CHECK(same(lbvh.bounds, fold(boxes, lbvh.indices, 0, count - 1)));
  if (count == 1) {
    CHECK_EQ(lbvh.leaf_parents[0], none);
    return;
  }

  // From the root; a cycle would visit a node again.
  struct Visit {
    uint32_t node, first, last, depth;
  };
  std::vector<uint32_t> visits(count - 1), leaf_visits(count);
  std::vector<Visit> todo{{0, 0, count - 1, 1}};
  uint32_t deepest = 0, wrong_links = 0, wrong_ranges = 0, wrong_boxes = 0;
  wrong_links += lbvh.nodes[0].parent != none;
  while (!todo.empty()) {
    const Visit visit = todo.back();
    todo.pop_back();
    REQUIRE_EQ(++visits[visit.node], 1);
    deepest = std::max(deepest, visit.depth);
    const BvhNode& node = lbvh.nodes[visit.node];
    wrong_ranges += std::min(visit.node, node.end) != visit.first || std::max(visit.node, node.end) != visit.last;
    uint32_t first = visit.first;
    for (uint32_t k = 0; k < 2; ++k) {
      const uint32_t child = node.children[k], index = child & ~leaf;
      const bool is_leaf = child >= leaf;
      REQUIRE_LT(index, is_leaf ? count : count - 1);
      const uint32_t last = is_leaf ? index : std::max(index, lbvh.nodes[index].end);
      wrong_links += (is_leaf ? lbvh.leaf_parents[index] : lbvh.nodes[index].parent) != visit.node;
      wrong_ranges += first != (is_leaf ? index : std::min(index, lbvh.nodes[index].end));
      wrong_boxes += !same(node.boxes[k], fold(boxes, lbvh.indices, first, last));
      if (is_leaf) {
        ++leaf_visits[index];
      } else {
        todo.push_back({index, first, last, visit.depth + 1});
      }
      first = last + 1;
    }
    wrong_ranges += first != visit.last + 1;
  }
  CHECK_EQ(wrong_links, 0);
  CHECK_EQ(wrong_ranges, 0);
  CHECK_EQ(wrong_boxes, 0);
  CHECK_EQ(std::ranges::count(visits, 1u), count - 1);
  CHECK_EQ(std::ranges::count(leaf_visits, 1u), count);
  CHECK_LE(deepest, code_bits + std::bit_width(count - 1));
}

double cost_of(const TestLbvh& lbvh) {
  const auto area = [](const Box<3>& box) { return double(surface_area({box.low, box.high})); };
  double sum = 0;
  for (const BvhNode& node : lbvh.nodes) sum += area(node.boxes[0]) + area(node.boxes[1]);
  return 1 + sum / area(lbvh.bounds);
}

}  // namespace weft::test
