#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <weft/tree_reduce.h>

/// Trees for tests, as references of weft/tree_reduce.h.
namespace weft::test {

struct TestTree {
  uint32_t leaves = 0;
  std::vector<std::vector<uint32_t>> children;  ///< Of each inner node, from left to right.

  uint32_t inner() const { return uint32_t(children.size()); }
  /// Parents of the inner nodes, and of the leaves.
  std::vector<uint32_t> parents() const, leaf_parents() const;
  /// `arity` references for each inner node; unused ones, tree::none, are at random indices among them.
  std::vector<uint32_t> links(uint32_t arity, std::mt19937_64& generator) const;
  /// The same tree with children in the order of their references.
  TestTree ordered() const;
  /// The inner nodes, each after all below it.
  std::vector<uint32_t> bottom_up() const;
};

enum class TreeKind {
  random,   ///< Ranges of leaves, split at random.
  chain,    ///< Each inner node has one inner child at most, in any position.
  perfect,  ///< All leaves that do not fit a full tree are in the last subtree.
};
const char* to_string(TreeKind kind);

/// A tree whose nodes have up to `arity` children, and at least 2 unless there is one leaf. Nodes are numbered at
/// random.
TestTree make_tree(TreeKind kind, uint32_t leaves, uint32_t arity, std::mt19937_64& generator);

/// The values of the inner nodes: `combine` over the values of children, then `finish` of that and the node's index.
template <typename T, typename Combine, typename Finish>
std::vector<T> fold_tree(const TestTree& tree, const std::vector<T>& leaves, const Combine& combine,
                         const Finish& finish) {
  std::vector<T> values(tree.inner());
  const auto value_of = [&](uint32_t child) {
    return child >= tree::leaf ? leaves[child - tree::leaf] : values[child];
  };
  for (const uint32_t node : tree.bottom_up()) {
    const std::vector<uint32_t>& children = tree.children[node];
    T total = value_of(children[0]);
    for (size_t k = 1; k < children.size(); ++k) total = combine(total, value_of(children[k]));
    values[node] = finish(total, node);
  }
  return values;
}
template <typename T, typename Combine>
std::vector<T> fold_tree(const TestTree& tree, const std::vector<T>& leaves, const Combine& combine) {
  return fold_tree(tree, leaves, combine, [](const T& x, uint32_t) { return x; });
}

}  // namespace weft::test
