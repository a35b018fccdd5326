#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include <weft/box_kd_tree.h>

#include "tests/algorithms/reference/boxes.h"

/// Kd-trees of boxes on the host.
namespace weft::test {

bool is_box(const TestBox& box);

struct BoxKd {
  std::vector<BoxKdNode> nodes;
  std::vector<uint32_t> references;
  uint64_t refused = 0;
};

/// Boxes whose coordinates are on planes: whole numbers from 0 to 16. Some are flat.
std::vector<TestBox> make_boxes_on_planes(size_t count, std::mt19937_64& generator);

/// The primitives that are boxes, and those of them on one side of a plane.
std::vector<uint32_t> all_of(const std::vector<TestBox>& boxes);
std::vector<uint32_t> side_of(const std::vector<uint32_t>& set, const std::vector<TestBox>& boxes, uint32_t axis,
                              float split, bool below);
TestBox bounds_of(const std::vector<TestBox>& boxes);

/// The tree that every device builds, with the defaults of options filled in.
BoxKd build_box_kd(const std::vector<TestBox>& boxes, const BoxKdTree::Options& options);
BoxKdTree::Options options_of(const BoxKdTree& plan, BoxKdTree::Options options);

}  // namespace weft::test
