#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>

#include "tests/algorithms/reference/lbvh.h"

/// Hierarchies that are better than linear ones, on the host.
namespace weft::test {
namespace {

constexpr size_t tile = 128, left_of_tile = tile / 4, radius = 8;

/// A subtree without NaNs in its box.
struct Cluster {
  TestBox box;
  size_t tree;
  uint32_t height;
};

/// A leaf's index, or two subtrees.
struct Tree {
  uint32_t leaf;
  size_t first, second;
};

class Merging {
 public:
  Merging(const std::vector<TestBox>& boxes, const std::vector<uint32_t>& indices, uint32_t most_height)
      : most_height_(most_height) {
    for (uint32_t i = 0; i < indices.size(); ++i) {
      trees_.push_back({i, 0, 0});
      TestBox box = boxes[indices[i]];
      for (float& x : box.low) x = is_nan(x) ? INFINITY : x;
      for (float& x : box.high) x = is_nan(x) ? -INFINITY : x;
      clusters_.push_back({box, i, 0});
    }
  }

  /// The root.
  size_t merge_all() {
    std::vector<std::vector<Cluster>> tiles(1);
    for (const Cluster& cluster : clusters_) {
      if (tiles.back().size() == tile) tiles.emplace_back();
      tiles.back().push_back(cluster);
    }
    while (tiles.size() > 1) {
      std::vector<std::vector<Cluster>> next;
      for (size_t t = 0; t < tiles.size(); ++t) {
        merge(tiles[t], left_of_tile);
        if (t % 4 == 0) next.emplace_back();
        next.back().insert(next.back().end(), tiles[t].begin(), tiles[t].end());
      }
      tiles = next;
    }
    merge(tiles[0], 1);
    return tiles[0][0].tree;
  }

  const std::vector<Tree>& trees() const { return trees_; }

 private:
  static TestBox around(const Cluster& a, const Cluster& b) { return united(a.box, b.box); }
  static float distance(const Cluster& a, const Cluster& b) {
    const float area = surface_area(around(a, b));
    return is_nan(area) ? INFINITY : area < 0x1p-126f ? 0 : area;
  }

  /// For each cluster the nearest, or itself.
  std::vector<size_t> nearest(const std::vector<Cluster>& clusters) const {
    std::vector<size_t> found;
    for (size_t i = 0; i < clusters.size(); ++i) {
      std::pair<float, size_t> least{NAN, 0};
      found.push_back(i);
      for (size_t j = i < radius ? 0 : i - radius; j < clusters.size() && j <= i + radius; ++j) {
        if (j == i || std::max(clusters[i].height, clusters[j].height) + 1 > most_height_) continue;
        const std::pair<float, size_t> key{distance(clusters[i], clusters[j]), i ^ j};
        if (found[i] != i && least < key) continue;
        least = key;
        found[i] = j;
      }
    }
    return found;
  }

  void merge(std::vector<Cluster>& clusters, size_t goal) {
    bool in_pairs = false;
    while (clusters.size() > goal) {
      std::vector<size_t> others = nearest(clusters);
      for (size_t i = 0; in_pairs && i < others.size(); ++i) others[i] = std::min(i ^ 1, others.size() - 1);
      std::vector<Cluster> merged;
      for (size_t i = 0; i < clusters.size(); ++i) {
        const size_t j = others[i];
        const bool mutual = j != i && others[j] == i;
        if (!mutual) merged.push_back(clusters[i]);
        if (!mutual || j < i) continue;
        trees_.push_back({0, clusters[i].tree, clusters[j].tree});
        merged.push_back({around(clusters[i], clusters[j]), trees_.size() - 1,
                          std::max(clusters[i].height, clusters[j].height) + 1});
      }
      in_pairs = merged.size() == clusters.size();
      clusters = merged;
    }
  }

  uint32_t most_height_;
  std::vector<Tree> trees_;
  std::vector<Cluster> clusters_;
};

}  // namespace

TestLbvh build_agglomerative(const std::vector<TestBox>& boxes, const std::vector<std::array<float, 3>>& centers,
                             uint32_t code_bits) {
  const SortedCenters sorted(centers, code_bits);
  if (boxes.empty()) return assemble_lbvh(boxes, {}, {});
  Merging merging(boxes, sorted.indices, code_bits - 1);
  std::vector<size_t> todo{merging.merge_all()};
  const std::vector<Tree>& trees = merging.trees();
  const auto is_leaf = [&](size_t tree) { return tree < boxes.size(); };
  // Children have lower indices than their parents.
  std::vector<uint32_t> leaves(trees.size(), 1);
  for (size_t i = boxes.size(); i < trees.size(); ++i) leaves[i] = leaves[trees[i].first] + leaves[trees[i].second];
  std::vector<uint32_t> indices;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> splits;
  while (!todo.empty()) {
    const size_t tree = todo.back();
    todo.pop_back();
    const auto first = uint32_t(indices.size());
    if (is_leaf(tree)) {
      indices.push_back(sorted.indices[trees[tree].leaf]);
    } else {
      splits[{first, first + leaves[tree] - 1}] = first + leaves[trees[tree].first] - 1;
      todo.push_back(trees[tree].second);
      todo.push_back(trees[tree].first);
    }
  }
  return assemble_lbvh(boxes, indices, [&](uint32_t first, uint32_t last) { return splits.at({first, last}); });
}

}  // namespace weft::test
