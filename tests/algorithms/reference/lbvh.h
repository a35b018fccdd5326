#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <weft/lbvh.h>

#include "tests/algorithms/reference/boxes.h"

/// Bounding volume hierarchies on the host.
namespace weft::test {

struct TestLbvh {
  std::vector<BvhNode> nodes;
  std::vector<uint32_t> indices, leaf_parents;
  Box<3> bounds;
};

/// Built from the top: each range of leaves is split where the highest bit of code and index changes.
TestLbvh build_lbvh(const std::vector<TestBox>& boxes, const std::vector<std::array<float, 3>>& centers,
                    uint32_t code_bits);
/// Built by merging clusters, in tiles of 128 and rounds.
TestLbvh build_agglomerative(const std::vector<TestBox>& boxes, const std::vector<std::array<float, 3>>& centers,
                             uint32_t code_bits);
std::vector<std::array<float, 3>> centers_of(const std::vector<TestBox>& boxes);

/// Fails the running test unless the hierarchy is one of `boxes`: each primitive is once below the root, links agree,
/// ranges of children meet, each box is the fold of its leaves' boxes in order, and it is not too deep.
void check_lbvh(const TestLbvh& lbvh, const std::vector<TestBox>& boxes, uint32_t code_bits);

/// The surface-area cost, with equal costs of nodes and leaves.
double cost_of(const TestLbvh& lbvh);
/// That of a hierarchy that splits boxes from the top, where it costs least among 16 bins of centers along each axis.
double binned_cost(const std::vector<TestBox>& boxes);

/// The indices of boxes in the order of their centers' Morton codes, and those codes.
struct SortedCenters {
  SortedCenters(const std::vector<std::array<float, 3>>& centers, uint32_t code_bits);

  std::vector<uint32_t> indices;
  std::vector<uint64_t> codes;
};

/// Finds the last leaf of the first child of a node with the leaves from `first` to `last`.
using TestSplit = std::function<uint32_t(uint32_t first, uint32_t last)>;
/// The hierarchy with these leaves and splits.
TestLbvh assemble_lbvh(const std::vector<TestBox>& boxes, const std::vector<uint32_t>& indices, const TestSplit& split);

}  // namespace weft::test
