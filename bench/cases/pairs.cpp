#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include <weft/find_neighbours.h>
#include <weft/find_pairs.h>

#include "bench/benchmark.h"
#include "bench/cases/boxes.h"
#include "bench/sets.h"

namespace weft::bench {
namespace {

using Point = std::array<float, 3>;

/// What is searched for pairs: boxes, or points within a radius of one another.
struct Scene {
  Boxes boxes;                  ///< Around the points.
  std::vector<Point> points{};  ///< Empty for boxes.
  float radius = 0;

  bool is_pair(uint32_t i, uint32_t j) const;
};

// Low corners in the unit cube, of the problem's distribution; edges are uniform. If they are scattered or clustered,
// boxes overlap four others on average.
Scene scene_of_boxes(const Problem& problem) {
  if (!problem.mesh.empty()) return {.boxes = scene_of(problem)};
  Scene scene{.boxes = Boxes(problem.count)};
  const float longest_edge = std::cbrt(4.0f / float(std::max<uint64_t>(problem.count, 1)));
  for (size_t i = 0; i < problem.count; ++i) {
    Box<3>& box = scene.boxes[i];
    for (size_t axis = 0; axis < 3; ++axis) {
      const float edge = longest_edge * random_element<float>(~uint64_t{problem.seed}, 3 * i + axis);
      box.low[axis] = random_element<float>(problem.seed, 3 * i + axis);
      box.high[axis] = box.low[axis] + edge;
    }
  }
  arrange_boxes(scene.boxes, problem.seed);
  return scene;
}

// Points of a lattice of 4096 in the unit cube, so that squared distances are exact. If they are scattered, each has
// about eight neighbours.
Scene random_points(const Problem& problem) {
  constexpr float lattice = 4096;
  const float radius = std::cbrt(8 / (4.19f * float(std::max<uint64_t>(problem.count, 1))));
  Scene scene{.boxes = Boxes(problem.count), .points = std::vector<Point>(problem.count)};
  scene.radius = std::max(2.0f, 2 * std::floor(radius * lattice / 2)) / lattice;
  for (size_t i = 0; i < problem.count; ++i) {
    for (size_t axis = 0; axis < 3; ++axis) {
      const float x = std::floor(random_element<float>(problem.seed, 3 * i + axis) * lattice) / lattice;
      scene.points[i][axis] = x;
      scene.boxes[i].low[axis] = x - 0.5f * scene.radius;
      scene.boxes[i].high[axis] = x + 0.5f * scene.radius;
    }
  }
  return scene;
}

bool overlap(const Box<3>& a, const Box<3>& b) {
  bool touch = true;
  for (size_t axis = 0; axis < 3; ++axis) touch = touch && a.low[axis] <= b.high[axis] && b.low[axis] <= a.high[axis];
  return touch;
}

bool Scene::is_pair(uint32_t i, uint32_t j) const {
  if (!overlap(boxes[i], boxes[j])) return false;
  if (points.empty()) return true;
  float squared = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    squared += (points[i][axis] - points[j][axis]) * (points[i][axis] - points[j][axis]);
  }
  return squared <= radius * radius;
}

// A grid of as many cells as boxes, about. Each box is in all cells that it overlaps.
class Grid {
 public:
  explicit Grid(const Scene& scene)
      : scene_(scene), side_(std::max(1, int(std::cbrt(double(scene.boxes.size()))))), starts_(cells() + 1) {
    const Boxes& boxes = scene.boxes;
    for (const Box<3>& box : boxes) for_cells(box, [&](size_t cell) { ++starts_[cell + 1]; });
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    std::vector<uint64_t> next(starts_.begin(), starts_.end() - 1);
    indices_.resize(starts_.back());
    for (uint32_t i = 0; i < boxes.size(); ++i) for_cells(boxes[i], [&](size_t cell) { indices_[next[cell]++] = i; });
  }

  uint64_t number_of_pairs() const {
    uint64_t number = 0;
    for (size_t cell = 0; cell < cells(); ++cell) {
      for (uint64_t a = starts_[cell]; a < starts_[cell + 1]; ++a) {
        for (uint64_t b = a + 1; b < starts_[cell + 1]; ++b) number += is_counted_in(cell, indices_[a], indices_[b]);
      }
    }
    return number;
  }

 private:
  using Corner = std::array<float, 3>;
  using Cell = std::array<int, 3>;
  size_t cells() const { return size_t(side_) * size_t(side_) * size_t(side_); }
  Cell cell_of(const Corner& corner) const {
    Cell cell;
    for (size_t axis = 0; axis < 3; ++axis) cell[axis] = std::clamp(int(corner[axis] * float(side_)), 0, side_ - 1);
    return cell;
  }
  size_t index_of(const Cell& cell) const {
    return (size_t(cell[2]) * size_t(side_) + size_t(cell[1])) * size_t(side_) + size_t(cell[0]);
  }
  template <typename Visit>
  void for_cells(const Box<3>& box, const Visit& visit) const {
    const Cell low = cell_of(box.low), high = cell_of(box.high);
    for (int z = low[2]; z <= high[2]; ++z) {
      for (int y = low[1]; y <= high[1]; ++y) {
        for (int x = low[0]; x <= high[0]; ++x) visit(index_of({x, y, z}));
      }
    }
  }
  // A pair is in one or more cells. The one with the low corner of what both have in common counts it.
  bool is_counted_in(size_t cell, uint32_t i, uint32_t j) const {
    if (!scene_.is_pair(i, j)) return false;
    Corner low = scene_.boxes[i].low;
    for (size_t axis = 0; axis < 3; ++axis) low[axis] = std::max(low[axis], scene_.boxes[j].low[axis]);
    return index_of(cell_of(low)) == cell;
  }

  const Scene& scene_;
  int side_;
  std::vector<uint64_t> starts_;  // Of each cell, in indices_.
  std::vector<uint32_t> indices_;
};

FindPairs plan_of(const Problem& problem, const Scene& scene, BroadPhase method) {
  FindPairs::Options options{.method = method, .tuning = problem.tuning};
  if (scene.points.empty()) return FindPairs(problem.device, BvhPrimitive::boxes(), problem.count, options);
  const std::string radius = std::to_string(int(scene.radius * 4096)) + ".0 / 4096.0", half = "0.5 * (" + radius + ")";
  options.where = "dot(a.at - b.at, a.at - b.at) <= (" + radius + ") * (" + radius + ")";
  const BvhPrimitive point = BvhPrimitive::of(Element::structure({{"vec3", "at"}}), "x.at - " + half, "x.at + " + half);
  return FindPairs(problem.device, point, problem.count, options);
}

class PairsCase : public Case {
 public:
  PairsCase(const Problem& problem, BroadPhase method, Scene scene)
      : problem_(problem),
        scene_(std::move(scene)),
        plan_(plan_of(problem, scene_, method)),
        number_(Grid(scene_).number_of_pairs()),
        inputs_(problem.device, problem.count * primitive_bytes(), problem.sets),
        pairs_(problem.device, room() * sizeof(IndexPair), problem.sets),
        found_(problem.device, sizeof(uint64_t), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {
    Stream stream = problem.device.stream();
    if (scene_.points.empty()) {
      upload_to_sets(stream, inputs_, scene_.boxes);
    } else {
      upload_to_sets(stream, inputs_, scene_.points);
    }
  }

  uint64_t bytes_moved() const override {
    return problem_.count * primitive_bytes() + std::min(number_, room()) * sizeof(IndexPair);
  }

  void poison(Stream& stream) const override {
    for (const Sets* sets : {&pairs_, &found_}) poison_region(stream, sets->all());
  }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {.primitives = inputs_[set],
                            .pairs = pairs_[set],
                            .found = found_[set],
                            .count = problem_.count,
                            .temporary = temporary_});
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    const uint64_t found = stream.download(View<uint64_t>(found_[set]))[0];
    if (found != number_) return std::to_string(found) + " pairs, expected " + std::to_string(number_);
    std::vector<IndexPair> pairs = stream.download(View<IndexPair>(pairs_[set]));
    pairs.resize(std::min(found, room()));
    std::ranges::sort(pairs);
    if (std::ranges::adjacent_find(pairs) != pairs.end()) return "a pair is there twice";
    for (const auto& [first, second] : pairs) {
      if (first >= second || second >= problem_.count || !scene_.is_pair(first, second)) {
        return std::to_string(first) + " and " + std::to_string(second) + " are no pair";
      }
    }
    return std::nullopt;
  }

 private:
  uint64_t room() const { return 8 * problem_.count; }
  uint64_t primitive_bytes() const { return scene_.points.empty() ? sizeof(Box<3>) : sizeof(Point); }

  Problem problem_;
  Scene scene_;
  FindPairs plan_;
  uint64_t number_;
  Sets inputs_, pairs_, found_;
  Buffer<std::byte> temporary_;
};

/// Lists of neighbours: each pair of points from both sides.
class NeighboursCase : public Case {
 public:
  NeighboursCase(const Problem& problem, FindNeighbours::Method method)
      : problem_(problem),
        scene_(random_points(problem)),
        plan_(problem.device, problem.count, {.method = method, .tuning = problem.tuning}),
        number_(2 * Grid(scene_).number_of_pairs()),
        inputs_(problem.device, problem.count * sizeof(Point), problem.sets),
        offsets_(problem.device, (problem.count + 1) * sizeof(uint64_t), problem.sets),
        neighbours_(problem.device, room() * sizeof(uint32_t), problem.sets),
        found_(problem.device, sizeof(uint64_t), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {
    Stream stream = problem.device.stream();
    upload_to_sets(stream, inputs_, scene_.points);
  }

  uint64_t bytes_moved() const override {
    return problem_.count * (sizeof(Point) + sizeof(uint64_t)) + std::min(number_, room()) * sizeof(uint32_t);
  }

  void poison(Stream& stream) const override {
    for (const Sets* sets : {&offsets_, &neighbours_, &found_}) poison_region(stream, sets->all());
  }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {.points = inputs_[set],
                            .offsets = offsets_[set],
                            .neighbours = neighbours_[set],
                            .found = found_[set],
                            .count = problem_.count,
                            .radius = scene_.radius,
                            .temporary = temporary_});
  }

  // Where there is room, as many distinct neighbours of each point as there should be are all of them.
  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    const uint64_t found = stream.download(View<uint64_t>(found_[set]))[0];
    const std::vector<uint64_t> offsets = stream.download(View<uint64_t>(offsets_[set]));
    std::vector<uint32_t> neighbours = stream.download(View<uint32_t>(neighbours_[set]));
    if (found != number_) return std::to_string(found) + " neighbours, expected " + std::to_string(number_);
    if (offsets.front() != 0 || offsets.back() != number_ || !std::ranges::is_sorted(offsets)) {
      return "the offsets are wrong";
    }
    for (uint32_t i = 0; i < problem_.count && offsets[i + 1] <= neighbours.size(); ++i) {
      const std::span list(neighbours.begin() + std::ptrdiff_t(offsets[i]),
                           neighbours.begin() + std::ptrdiff_t(offsets[i + 1]));
      std::ranges::sort(list);
      const bool twice = std::ranges::adjacent_find(list) != list.end();
      const auto is_neighbour = [&](uint32_t j) { return j < problem_.count && j != i && scene_.is_pair(i, j); };
      if (twice || !std::ranges::all_of(list, is_neighbour)) return "list " + std::to_string(i) + " is wrong";
    }
    return std::nullopt;
  }

 private:
  uint64_t room() const { return 16 * problem_.count; }

  Problem problem_;
  Scene scene_;
  FindNeighbours plan_;
  uint64_t number_;
  Sets inputs_, offsets_, neighbours_, found_;
  Buffer<std::byte> temporary_;
};

template <BroadPhase method, Scene (*scene_of_problem)(const Problem&)>
std::unique_ptr<Case> prepare_pairs(const Problem& problem) {
  return std::make_unique<PairsCase>(problem, method, scene_of_problem(problem));
}

uint64_t boxes_and_pairs(uint32_t, uint64_t count) { return (24 + 8 * 8) * count; }
uint64_t points_and_lists(uint32_t, uint64_t count) { return (12 + 8 + 16 * 4) * count; }

}  // namespace

std::span<const Benchmark> benchmarks_of_pairs() {
  static constexpr Benchmark rows[] = {
      {"pairs", "brute-force", false, "pairs of boxes that overlap four others each: tests all; up to 65536 boxes",
       boxes_and_pairs, prepare_pairs<BroadPhase::brute_force, scene_of_boxes>, Takes::mesh},
      {"pairs", "sweep", false, "by a sweep along one axis", boxes_and_pairs,
       prepare_pairs<BroadPhase::sort_and_sweep, scene_of_boxes>, Takes::mesh},
      {"pairs", "grid", true, "by a uniform grid", boxes_and_pairs,
       prepare_pairs<BroadPhase::uniform_grid, scene_of_boxes>, Takes::mesh},
      {"pairs", "bvh", true, "by a hierarchy", boxes_and_pairs, prepare_pairs<BroadPhase::bvh, scene_of_boxes>,
       Takes::mesh},
      {"neighbours", "grid", true, "points within a radius, about eight for each, by a uniform grid", boxes_and_pairs,
       prepare_pairs<BroadPhase::uniform_grid, random_points>},
      {"neighbours", "bvh", true, "by a hierarchy", boxes_and_pairs, prepare_pairs<BroadPhase::bvh, random_points>},
      {"neighbours", "lists", true, "a list for each point, by a uniform grid", points_and_lists,
       prepare<NeighboursCase, FindNeighbours::Method::uniform_grid>},
      {"neighbours", "lists-bvh", true, "a list for each point, by a hierarchy", points_and_lists,
       prepare<NeighboursCase, FindNeighbours::Method::bvh>},
  };
  return rows;
}

}  // namespace weft::bench
