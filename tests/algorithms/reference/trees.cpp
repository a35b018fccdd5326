#include "tests/algorithms/reference/trees.h"

#include <algorithm>
#include <numeric>

namespace weft::test {
namespace {

/// Builds a tree over leaves [0, count), with inner nodes numbered as they are made.
class TreeBuilder {
 public:
  TreeBuilder(TreeKind kind, uint32_t arity, std::mt19937_64& generator)
      : kind_(kind), arity_(arity), generator_(generator) {}

  std::vector<std::vector<uint32_t>> build(uint32_t leaves) {
    if (leaves == 0) return {};
    nodes_.emplace_back();
    std::vector<Work> todo{{0, 0, leaves}};
    while (!todo.empty()) {
      const Work work = todo.back();
      todo.pop_back();
      uint32_t begin = work.begin;
      for (const uint32_t end : ends(work.begin, work.end)) {
        if (end - begin == 1) {
          nodes_[work.node].push_back(tree::leaf + begin);
        } else {
          nodes_[work.node].push_back(uint32_t(nodes_.size()));
          todo.push_back({uint32_t(nodes_.size()), begin, end});
          nodes_.emplace_back();
        }
        begin = end;
      }
    }
    return std::move(nodes_);
  }

 private:
  struct Work {
    uint32_t node, begin, end;
  };

  uint32_t below(uint32_t limit) { return uint32_t(generator_() % limit); }

  // Ends of the children's leaves.
  std::vector<uint32_t> ends(uint32_t begin, uint32_t end) {
    const uint32_t size = end - begin, most = std::min(arity_, size);
    std::vector<uint32_t> cuts;
    if (kind_ == TreeKind::perfect) {
      uint32_t part = 1;
      while (part < (size + arity_ - 1) / arity_) part *= arity_;
      for (uint32_t cut = begin + part; cut < end; cut += part) cuts.push_back(cut);
    } else if (kind_ == TreeKind::chain) {
      const uint32_t children = most, before = below(children);
      for (uint32_t k = 0; k < before; ++k) cuts.push_back(begin + k + 1);
      for (uint32_t k = children - before - 1; k > 0; --k) cuts.push_back(end - k);
    } else {
      const uint32_t children = size == 1 ? 1 : 2 + below(most - 1);
      std::vector<uint32_t> all{begin, end};
      while (all.size() < children + 1u) {
        const uint32_t cut = begin + 1 + below(size - 1);
        if (std::ranges::find(all, cut) == all.end()) all.push_back(cut);
      }
      std::ranges::sort(all);
      cuts.assign(all.begin() + 1, all.end() - 1);
    }
    cuts.push_back(end);
    return cuts;
  }

  TreeKind kind_;
  uint32_t arity_;
  std::mt19937_64& generator_;
  std::vector<std::vector<uint32_t>> nodes_;
};

std::vector<uint32_t> shuffled(uint32_t count, std::mt19937_64& generator) {
  std::vector<uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0u);
  std::ranges::shuffle(numbers, generator);
  return numbers;
}

}  // namespace

const char* to_string(TreeKind kind) {
  return kind == TreeKind::random ? "random" : kind == TreeKind::chain ? "chain" : "perfect";
}

TestTree make_tree(TreeKind kind, uint32_t leaves, uint32_t arity, std::mt19937_64& generator) {
  const auto built = TreeBuilder(kind, arity, generator).build(leaves);
  const std::vector<uint32_t> inner = shuffled(uint32_t(built.size()), generator), outer = shuffled(leaves, generator);
  TestTree tree{leaves, std::vector<std::vector<uint32_t>>(built.size())};
  for (size_t node = 0; node < built.size(); ++node) {
    for (const uint32_t child : built[node]) {
      const uint32_t renamed = child >= tree::leaf ? tree::leaf + outer[child - tree::leaf] : inner[child];
      tree.children[inner[node]].push_back(renamed);
    }
  }
  return tree;
}

std::vector<uint32_t> TestTree::parents() const {
  std::vector<uint32_t> parents(inner(), tree::none);
  for (uint32_t node = 0; node < inner(); ++node) {
    for (const uint32_t child : children[node]) {
      if (child < tree::leaf) parents[child] = node;
    }
  }
  return parents;
}

std::vector<uint32_t> TestTree::leaf_parents() const {
  std::vector<uint32_t> parents(leaves, tree::none);
  for (uint32_t node = 0; node < inner(); ++node) {
    for (const uint32_t child : children[node]) {
      if (child >= tree::leaf) parents[child - tree::leaf] = node;
    }
  }
  return parents;
}

std::vector<uint32_t> TestTree::links(uint32_t arity, std::mt19937_64& generator) const {
  std::vector<uint32_t> links;
  for (const std::vector<uint32_t>& of_node : children) {
    std::vector<uint32_t> slots = of_node;
    while (slots.size() < arity) slots.insert(slots.begin() + long(generator() % (slots.size() + 1)), tree::none);
    links.insert(links.end(), slots.begin(), slots.end());
  }
  return links;
}

TestTree TestTree::ordered() const {
  TestTree sorted = *this;
  for (std::vector<uint32_t>& of_node : sorted.children) std::ranges::sort(of_node);
  return sorted;
}

std::vector<uint32_t> TestTree::bottom_up() const {
  std::vector<uint32_t> order;
  const std::vector<uint32_t> all = parents();
  for (uint32_t node = 0; node < inner(); ++node) {
    if (all[node] == tree::none) order.push_back(node);
  }
  for (size_t i = 0; i < order.size(); ++i) {
    for (const uint32_t child : children[order[i]]) {
      if (child < tree::leaf) order.push_back(child);
    }
  }
  std::ranges::reverse(order);
  return order;
}

}  // namespace weft::test
