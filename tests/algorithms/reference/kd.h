#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include <weft/kd_tree.h>

#include "tests/algorithms/reference/boxes.h"

/// Kd-trees of points and searches for neighbours, on the host.
namespace weft::test {

template <size_t D>
using TestPoints = std::vector<std::array<float, D>>;

/// Unsigned integers in the order of coordinates: NaNs last.
constexpr uint32_t kd_order_bits(float x) { return is_nan(x) ? 0xffffffff : unsigned_order_bits(x); }

/// Number of nodes in the subtree of a node, level by level.
constexpr uint64_t subtree_size(uint64_t node, uint64_t nodes) {
  uint64_t size = 0;
  for (uint64_t first = node, last = node; first < nodes; first = 2 * first + 1, last = 2 * last + 2) {
    size += std::min(last, nodes - 1) - first + 1;
  }
  return size;
}

template <size_t D>
class TestKdTree {
 public:
  explicit TestKdTree(const TestPoints<D>& points) : points_(points), nodes_(points.size()) {
    std::vector<uint32_t> indices(points.size());
    std::iota(indices.begin(), indices.end(), 0u);
    build(0, 0, indices);
  }
  const std::vector<KdNode<D>>& nodes() const { return nodes_; }

 private:
  void build(uint64_t node, size_t depth, std::span<uint32_t> indices) {
    if (indices.empty()) return;
    std::ranges::stable_sort(indices, {}, [&](uint32_t i) { return kd_order_bits(points_[i][depth % D]); });
    const uint64_t left = subtree_size(2 * node + 1, nodes_.size());
    nodes_[node] = {points_[indices[left]], indices[left]};
    build(2 * node + 1, depth + 1, indices.first(left));
    build(2 * node + 2, depth + 1, indices.subspan(left + 1));
  }

  const TestPoints<D>& points_;
  std::vector<KdNode<D>> nodes_;
};

/// Rounded after each step; volatile, so that nothing is contracted.
template <size_t D>
float squared_distance(const std::array<float, D>& a, const std::array<float, D>& b) {
  volatile float sum = 0;
  for (size_t axis = 0; axis < D; ++axis) {
    const volatile float d = a[axis] - b[axis], square = d * d;
    sum = sum + square;
  }
  return sum;
}

struct TestNeighbours {
  std::vector<uint32_t> indices;
  std::vector<float> squared_distances;
};

/// Searches through all points, for each query.
template <size_t D>
TestNeighbours nearest(const TestPoints<D>& points, const TestPoints<D>& queries, uint32_t neighbours,
                       float squared_radius = INFINITY) {
  TestNeighbours all;
  for (const std::array<float, D>& query : queries) {
    std::vector<std::pair<float, uint32_t>> found;
    for (uint32_t i = 0; i < points.size(); ++i) {
      const float distance = squared_distance(query, points[i]);
      if (!is_nan(distance) && distance <= squared_radius) found.push_back({distance, i});
    }
    const size_t kept = std::min<size_t>(found.size(), neighbours);
    std::partial_sort(found.begin(), found.begin() + std::ptrdiff_t(kept), found.end());
    found.resize(kept);
    found.resize(neighbours, {INFINITY, tree::none});
    for (const auto& [distance, index] : found) {
      all.indices.push_back(index);
      all.squared_distances.push_back(distance);
    }
  }
  return all;
}

}  // namespace weft::test
