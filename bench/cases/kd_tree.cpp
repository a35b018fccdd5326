#include <weft/kd_tree.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "bench/benchmark.h"
#include "bench/sets.h"

namespace weft::bench {
namespace {

using Point = std::array<float, 3>;
using Node = KdNode<3>;

// Random points of the unit cube, from `first` on in the sequence of the seed.
std::vector<Point> random_points(const Problem& problem, uint64_t first) {
  std::vector<Point> points(problem.count);
  for (size_t i = 0; i < points.size(); ++i) {
    for (size_t axis = 0; axis < 3; ++axis) {
      points[i][axis] = random_element<float>(problem.seed, 3 * (first + i) + axis);
    }
  }
  return points;
}

// No node is on the wrong side of any node above it, and each has a point of its own.
std::optional<std::string> wrong_tree(const std::vector<Point>& points, const std::vector<Node>& nodes) {
  std::vector<bool> is_there(points.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    const auto& [at, index] = nodes[i];
    if (index >= points.size() || is_there[index] || at != points[index]) {
      return "node " + std::to_string(i) + " has not a point of its own";
    }
    is_there[index] = true;
    for (size_t below = i; below > 0; below = (below - 1) / 2) {
      const size_t above = (below - 1) / 2, axis = size_t(std::bit_width(above + 1) - 1) % 3;
      const bool is_left = below % 2 == 1;
      if (is_left ? at[axis] > nodes[above].at[axis] : at[axis] < nodes[above].at[axis]) {
        return "node " + std::to_string(i) + " is on the wrong side of node " + std::to_string(above);
      }
    }
  }
  return std::nullopt;
}

// Points in space.
class KdTreeCase : public Case {
 public:
  explicit KdTreeCase(const Problem& problem)
      : problem_(problem),
        plan_(problem.device, 3, problem.count, {.tuning = problem.tuning}),
        points_(random_points(problem, 0)),
        inputs_(problem.device, points_.size() * sizeof(Point), problem.sets),
        nodes_(problem.device, points_.size() * sizeof(Node), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {
    Stream stream = problem.device.stream();
    upload_to_sets(stream, inputs_, points_);
  }

  uint64_t bytes_moved() const override { return problem_.count * (sizeof(Point) + sizeof(Node)); }
  void poison(Stream& stream) const override { poison_region(stream, nodes_.all()); }
  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {inputs_[set], nodes_[set], problem_.count, temporary_});
  }
  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    return wrong_tree(points_, stream.download(View<Node>(nodes_[set])));
  }

 private:
  Problem problem_;
  KdTree plan_;
  std::vector<Point> points_;
  Sets inputs_, nodes_;
  Buffer<std::byte> temporary_;
};

constexpr uint32_t neighbours = 8;
using Found = std::array<std::pair<float, uint32_t>, neighbours>;

Found search_all(const std::vector<Point>& points, const Point& query) {
  std::vector<std::pair<float, uint32_t>> all(points.size());
  for (uint32_t i = 0; i < points.size(); ++i) {
    volatile float sum = 0;  // Volatile, so that no product is contracted with an addition.
    for (size_t axis = 0; axis < 3; ++axis) {
      const volatile float d = query[axis] - points[i][axis], square = d * d;
      sum = sum + square;
    }
    all[i] = {sum, i};
  }
  Found nearest;
  nearest.fill({std::numeric_limits<float>::infinity(), tree::none});
  std::partial_sort_copy(all.begin(), all.end(), nearest.begin(),
                         nearest.begin() + std::min(all.size(), nearest.size()));
  return nearest;
}

// The same number of queries, in random order.
class KdNearestCase : public Case {
 public:
  explicit KdNearestCase(const Problem& problem)
      : problem_(problem),
        plan_(problem.device, 3, neighbours, problem.count),
        points_(random_points(problem, 0)),
        queries_(random_points(problem, problem.count)),
        nodes_(problem.device, points_.size() * sizeof(Node), problem.sets),
        inputs_(problem.device, queries_.size() * sizeof(Point), problem.sets),
        indices_(problem.device, problem.count * neighbours * sizeof(uint32_t), problem.sets),
        squared_distances_(problem.device, problem.count * neighbours * sizeof(float), problem.sets) {
    Stream stream = problem.device.stream();
    upload_to_sets(stream, inputs_, queries_);
    const KdTree tree(problem.device, 3, problem.count, {.tuning = problem.tuning});
    const Buffer<Point> points = problem.device.buffer<Point>(problem.count);
    stream.upload(points, points_);
    tree.record(stream, {points, nodes_[0], problem.count, stream.scratch(tree.temporary_bytes())});
    for (uint32_t set = 1; set < problem.sets; ++set) stream.copy_region(nodes_[0], nodes_[set]);
    stream.synchronize();
  }

  uint64_t bytes_moved() const override {
    return problem_.count * (sizeof(Node) + sizeof(Point) + neighbours * (sizeof(uint32_t) + sizeof(float)));
  }
  std::string variant() const override { return std::to_string(neighbours) + " neighbours"; }
  void poison(Stream& stream) const override {
    poison_region(stream, indices_.all());
    poison_region(stream, squared_distances_.all());
  }
  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {.nodes = nodes_[set],
                            .node_count = problem_.count,
                            .queries = inputs_[set],
                            .indices = indices_[set],
                            .squared_distances = squared_distances_[set],
                            .count = problem_.count});
  }

  // Compares up to 64 queries with a search through all points.
  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    const std::vector<uint32_t> indices = stream.download(View<uint32_t>(indices_[set]));
    const std::vector<float> distances = stream.download(View<float>(squared_distances_[set]));
    const size_t step = std::max<size_t>(queries_.size() / 64, 1);
    for (size_t i = 0; i < queries_.size(); i += step) {
      const Found wanted = search_all(points_, queries_[i]);
      for (size_t k = 0; k < neighbours; ++k) {
        if (indices[neighbours * i + k] == wanted[k].second && distances[neighbours * i + k] == wanted[k].first)
          continue;
        return "neighbour " + std::to_string(k) + " of query " + std::to_string(i) + " is wrong";
      }
    }
    return std::nullopt;
  }

 private:
  Problem problem_;
  KdNearest plan_;
  std::vector<Point> points_, queries_;
  Sets nodes_, inputs_, indices_, squared_distances_;
};

// A build sorts as often as the tree has levels, so few sets are made.
uint64_t points_and_nodes(uint32_t, uint64_t count) { return std::max((12 + 16) * count, uint64_t{1} << 26); }
uint64_t nodes_and_neighbours(uint32_t, uint64_t count) { return (16 + 12 + 8 * 8) * count; }

}  // namespace

std::span<const Benchmark> benchmarks_of_kd_tree() {
  static constexpr Benchmark rows[] = {
      {"kd-tree", "", false, "a balanced kd-tree of points in space", points_and_nodes, prepare<KdTreeCase>},
      {"kd-tree", "nearest", false, "the 8 nearest points of each query, in a kd-tree", nodes_and_neighbours,
       prepare<KdNearestCase>},
  };
  return rows;
}

}  // namespace weft::bench
