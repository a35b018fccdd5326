#include <weft/bvh_query.h>

#include <algorithm>
#include <bit>
#include <type_traits>

#include "bench/benchmark.h"
#include "bench/cases/boxes.h"
#include "bench/sets.h"

namespace weft::bench {
namespace {

using Of = BvhQuery::Of;
using Find = BvhQuery::Find;

template <typename Q>
constexpr Of of_queries = std::is_same_v<Q, Box<3>>     ? Of::boxes
                          : std::is_same_v<Q, BvhPoint> ? Of::points
                                                        : Of::rays;

template <typename Q>
std::vector<Q> random_queries(const Problem& problem) {
  if constexpr (std::is_same_v<Q, BvhRay>) return random_rays(problem);
  Boxes boxes = random_query_boxes(problem);
  if constexpr (std::is_same_v<Q, Box<3>>) return boxes;
  std::vector<Q> queries(boxes.size());
  for (size_t i = 0; i < boxes.size(); ++i) {
    if constexpr (std::is_same_v<Q, BvhPoint>) queries[i].at = boxes[i].low;
  }
  return queries;
}

// Exact: the distance at which a query finds a box, or nothing.
std::optional<double> found(const Box<3>& query, const Box<3>& box) {
  for (size_t axis = 0; axis < 3; ++axis) {
    if (!(query.low[axis] <= box.high[axis] && box.low[axis] <= query.high[axis])) return std::nullopt;
  }
  return 0;
}
std::optional<double> found(const BvhPoint& query, const Box<3>& box) {
  double sum = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double at = query.at[axis], away = std::max({box.low[axis] - at, at - box.high[axis], 0.0});
    sum += away * away;
  }
  return sum;
}
std::optional<double> found(const BvhRay& query, const Box<3>& box) {
  double enters = query.t_min, leaves = query.t_max;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double at = query.origin[axis], step = query.direction[axis];
    const double a = (box.low[axis] - at) / step, b = (box.high[axis] - at) / step;
    enters = std::max(enters, std::min(a, b));
    leaves = std::min(leaves, std::max(a, b));
  }
  if (enters > leaves) return std::nullopt;
  return enters;
}

// As many queries as boxes. Some of the results are compared with those of a loop over all boxes.
template <typename Q>
class BvhQueryCase : public Case {
 public:
  BvhQueryCase(const Problem& problem, Find find)
      : problem_(problem),
        find_(find),
        build_(problem.device, BvhPrimitive::boxes(), problem.count, {.tuning = problem.tuning}),
        plan_(problem.device, of_queries<Q>, find, problem.count, {.tuning = problem.tuning}),
        boxes_(scene_of(problem)),
        queries_(random_queries<Q>(problem)),
        primitives_(problem.device.buffer<Box<3>>(problem.count)),
        nodes_(problem.device.buffer<BvhNode>(std::max<uint64_t>(problem.count, 2) - 1)),
        indices_(problem.device.buffer<uint32_t>(problem.count)),
        bounds_(problem.device.buffer<Box<3>>(1)),
        inputs_(problem.device, queries_.size() * sizeof(Q), problem.sets),
        ends_(problem.device, problem.count * sizeof(uint64_t), problem.sets),
        found_(problem.device, sizeof(uint64_t), problem.sets),
        temporary_(problem.device.buffer<std::byte>(
            std::max({build_.temporary_bytes(), plan_.temporary_bytes(), uint64_t{1}}))) {
    Stream stream = problem.device.stream();
    build(stream);
    upload_to_sets(stream, inputs_, queries_);
    uint64_t hit_words = 2 * problem.count;
    if (find == Find::all) {
      plan_.record(stream, arguments(0));
      hit_words = total_ = stream.download(View<uint64_t>(found_[0])).front();
    }
    hits_.emplace(problem.device, std::max<uint64_t>(hit_words, 1) * sizeof(uint32_t), problem.sets);
  }

  // Without nodes, of which caches have most.
  uint64_t bytes_moved() const override {
    return problem_.count * (sizeof(Q) + 8) + (find_ == Find::all ? total_ * sizeof(uint32_t) : 0);
  }

  void poison(Stream& stream) const override {
    for (const Sets* sets : {&*hits_, &ends_, &found_}) poison_region(stream, sets->all());
  }

  std::optional<PeerWork> peer_work() const override {
    if (!std::is_same_v<Q, BvhRay> || find_ != Find::nearest) return std::nullopt;
    return PeerWork{
        .row = "bvh_rays", .inputs = {{"f32", primitives_}, {"f32", inputs_[0]}}, .outputs = {{"u32", (*hits_)[0]}}};
  }

  void record(Recorder& recorder, uint32_t set) const override { plan_.record(recorder, arguments(set)); }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    constexpr uint64_t compared = 100;
    const uint64_t step = std::max<uint64_t>(problem_.count / compared, 1);
    const auto words = stream.download(View<uint32_t>((*hits_)[set]));
    const auto ends = stream.download(View<uint64_t>(ends_[set]));
    if (find_ == Find::all && stream.download(View<uint64_t>(found_[set])).front() != total_) return "another total";
    for (uint64_t q = 0; q < problem_.count; q += step) {
      const bool right = find_ == Find::all ? has_all(q, words, ends) : has_one(q, words);
      if (!right) return "query " + std::to_string(q) + " is wrong";
    }
    return std::nullopt;
  }

 private:
  void build(Stream& stream) const {
    const auto leaf_parents = problem_.device.template buffer<uint32_t>(problem_.count);
    stream.upload(primitives_, boxes_);
    build_.record(stream, {primitives_, nodes_, indices_, leaf_parents, bounds_, problem_.count, temporary_});
    stream.synchronize();
  }

  BvhQuery::Arguments arguments(uint32_t set) const {
    const bool all = find_ == Find::all;
    return {.nodes = nodes_,
            .indices = indices_,
            .bounds = bounds_,
            .leaves = problem_.count,
            .primitives = {},
            .queries = inputs_[set],
            .count = problem_.count,
            .hits = hits_ ? (*hits_)[set] : Region{},
            .ends = all ? ends_[set] : Region{},
            .found = all ? found_[set] : Region{},
            .temporary = all ? Region(temporary_).part(0, plan_.temporary_bytes()) : Region{}};
  }

  bool has_all(uint64_t q, const std::vector<uint32_t>& hits, const std::vector<uint64_t>& ends) const {
    const uint64_t begin = q == 0 ? 0 : ends[q - 1], end = ends[q];
    if (begin > end || end > hits.size()) return false;
    std::vector<uint32_t> listed(hits.begin() + std::ptrdiff_t(begin), hits.begin() + std::ptrdiff_t(end)), expected;
    for (uint32_t i = 0; i < boxes_.size(); ++i) {
      if (found(queries_[q], boxes_[i])) expected.push_back(i);
    }
    std::ranges::sort(listed);
    return listed == expected;
  }

  // Near misses of boxes count as hits.
  bool has_one(uint64_t q, const std::vector<uint32_t>& hits) const {
    const uint32_t primitive = hits[2 * q];
    const double distance = std::bit_cast<float>(hits[2 * q + 1]), slack = 1e-4 * distance + 1e-12;
    if (primitive != tree::none && primitive >= boxes_.size()) return false;
    const auto is_nearer = [&](const Box<3>& box) {
      const std::optional<double> at = found(queries_[q], box);
      return at && (primitive == tree::none || (find_ == Find::nearest && *at < distance - slack));
    };
    if (std::ranges::any_of(boxes_, is_nearer)) return false;
    if (primitive == tree::none) return true;
    Box<3> box = boxes_[primitive];
    for (size_t axis = 0; axis < 3; ++axis) {
      box.low[axis] -= 1e-6f;
      box.high[axis] += 1e-6f;
    }
    const std::optional<double> at = found(queries_[q], box);
    return at && *at <= distance + slack;
  }

  Problem problem_;
  Find find_;
  Lbvh build_;
  BvhQuery plan_;
  Boxes boxes_;
  std::vector<Q> queries_;
  Buffer<Box<3>> primitives_;
  Buffer<BvhNode> nodes_;
  Buffer<uint32_t> indices_;
  Buffer<Box<3>> bounds_;
  Sets inputs_, ends_, found_;
  std::optional<Sets> hits_;
  Buffer<std::byte> temporary_;
  uint64_t total_ = 0;
};

}  // namespace

std::span<const Benchmark> benchmarks_of_bvh_query() {
  static constexpr Benchmark rows[] = {
      {"traversal", "overlaps", true, "lists the boxes of a hierarchy that each box overlaps", queries_and_hits,
       prepare<BvhQueryCase<Box<3>>, Find::all>, Takes::mesh},
      {"traversal", "nearest", true, "the nearest box of each point", queries_and_hits,
       prepare<BvhQueryCase<BvhPoint>, Find::nearest>, Takes::mesh},
      {"rays", "nearest", true, "the first box that each ray hits", queries_and_hits,
       prepare<BvhQueryCase<BvhRay>, Find::nearest>, Takes::mesh},
      {"rays", "any", true, "whether each ray hits a box", queries_and_hits, prepare<BvhQueryCase<BvhRay>, Find::any>,
       Takes::mesh},
  };
  return rows;
}

}  // namespace weft::bench
