#pragma once

#include <random>
#include <string>
#include <vector>

#include <weft/find_pairs.h>

#include "tests/algorithms/reference/boxes.h"

/// Pairs of boxes on the host.
namespace weft::test {

/// Whether two boxes have a point in common; by comparisons of floats.
bool share_a_point(const TestBox& a, const TestBox& b);

/// In ascending order.
std::vector<IndexPair> pairs_of(const std::vector<TestBox>& boxes);

/// In the order in which FindPairs writes them by brute force.
std::vector<IndexPair> pairs_by_brute_force(const std::vector<TestBox>& boxes);
/// For each box in this order those with later ones, as the other methods list them.
std::vector<IndexPair> pairs_in_order(const std::vector<TestBox>& boxes, const std::vector<uint32_t>& order);
/// The order of a sweep along an axis.
std::vector<uint32_t> order_along(const std::vector<TestBox>& boxes, size_t axis);

struct PairScene {
  std::string name;
  std::vector<TestBox> boxes;
};
/// Boxes that are hard for one method or another.
std::vector<PairScene> pair_scenes(size_t count, std::mt19937_64& generator);

}  // namespace weft::test
