#pragma once

#include <cstdint>
#include <vector>

#include <weft/lbvh.h>

#include "test_boxes.h"

/// Linear bounding volume hierarchies on the host.
namespace weft::test {

struct TestLbvh {
  std::vector<BvhNode> nodes;
  std::vector<uint32_t> indices, leaf_parents;
  Box<3> bounds;
};

/// Built from the top: each range of leaves is split where the highest bit of code and index changes.
TestLbvh build_lbvh(const std::vector<TestBox>& boxes, const std::vector<std::array<float, 3>>& centers,
                    uint32_t code_bits);
std::vector<std::array<float, 3>> centers_of(const std::vector<TestBox>& boxes);

/// Fails the running test unless the hierarchy is one of `boxes`: each primitive is once below the root, links agree,
/// ranges of children meet, each box is the fold of its leaves' boxes in order, and it is not too deep.
void check_lbvh(const TestLbvh& lbvh, const std::vector<TestBox>& boxes, uint32_t code_bits);

/// The surface-area cost, with equal costs of nodes and leaves.
double cost_of(const TestLbvh& lbvh);

}  // namespace weft::test
