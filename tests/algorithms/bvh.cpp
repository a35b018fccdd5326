#include <weft/glsl.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "test.h"
#include "test_lbvh.h"

using namespace weft;
using namespace weft::test;

/// weft/device/bvh.glsl: what a traversal finds is what a loop over all leaves finds.

namespace {

// Each invocation sets a bit for each primitive that its traversal finds, in a row of its own. A bit that it finds set
// counts as a repetition.
constexpr const char* source = R"(
  layout(local_size_x = 64) in;
  #include "weft/device/bvh.glsl"
  layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint at[]; };
  layout(push_constant, scalar) uniform Arguments {
    WeftBvh bvh;
    uvec2 queries;
    Words rows, repetitions;
    uint count, row_words;
  } args;

  void mark(uint i, uint primitive) {
    uint word = i * args.row_words + primitive / 32u, bit = 1u << (primitive % 32u);
    if ((args.rows.at[word] & bit) != 0u) atomicAdd(args.repetitions.at[0], 1u);
    args.rows.at[word] |= bit;
  }
)";

struct Block {
  uint64_t nodes, indices, bounds;
  uint32_t leaves, unused;
  uint64_t queries, rows, repetitions;
  uint32_t count, row_words;
};

/// A hierarchy on the device, built by the host.
class Tree {
 public:
  Tree(const Device& device, Stream& stream, const std::vector<TestBox>& boxes, std::mt19937_64& generator)
      : leaves_(uint32_t(boxes.size())),
        built_(build_lbvh(boxes, centers_of(boxes), 63)),
        nodes_(device, stream, built_.nodes, generator),
        indices_(device, stream, built_.indices, generator, 4),
        bounds_(device, stream, std::vector{built_.bounds}, generator, 4) {}

  /// The rows that a kernel writes for these queries.
  template <typename Q>
  std::vector<uint32_t> rows(Stream& stream, const Kernel& kernel, const std::vector<Q>& queries,
                             std::mt19937_64& generator) const {
    const Device device = stream.device();
    const auto count = uint32_t(queries.size()), row_words = (leaves_ + 31) / 32;
    const Guarded<Q> input(device, stream, queries, generator, 4);
    const Guarded<uint32_t> marked(device, stream, std::vector<uint32_t>(count * row_words), generator),
        repetitions(device, stream, std::vector<uint32_t>{0}, generator);
    const auto address = [](const Region& region) { return region.address(); };
    stream.dispatch(kernel, {(count + 63) / 64},
                    Block{address(nodes_), address(indices_), address(bounds_), leaves_, 0, address(input),
                          address(marked), address(repetitions), count, row_words});
    CHECK_EQ(repetitions.read(stream)[0], 0);
    return marked.read(stream);
  }
  const std::vector<uint32_t>& primitives() const { return built_.indices; }

 private:
  uint32_t leaves_;
  TestLbvh built_;
  Guarded<BvhNode> nodes_;
  Guarded<uint32_t> indices_;
  Guarded<Box<3>> bounds_;
};

/// Rows with a bit for each leaf i that a query finds by itself: found(query, leaf).
template <typename Found>
std::vector<uint32_t> rows_of(size_t queries, const std::vector<uint32_t>& primitives, const Found& found) {
  const size_t row_words = (primitives.size() + 31) / 32;
  std::vector<uint32_t> marked(queries * row_words);
  for (size_t q = 0; q < queries; ++q) {
    for (uint32_t leaf = 0; leaf < primitives.size(); ++leaf) {
      const uint32_t i = primitives[leaf];
      if (found(q, leaf)) marked[q * row_words + i / 32] |= 1u << i % 32;
    }
  }
  return marked;
}

bool overlap(const TestBox& a, const TestBox& b) {
  bool all = true;
  for (size_t axis = 0; axis < 3; ++axis) {
    all = all && a.low[axis] <= b.high[axis] && b.low[axis] <= a.high[axis];
  }
  return all;
}

/// Devices may take denormals for zeros when they compare.
std::vector<TestBox> without_denormals(std::vector<TestBox> boxes) {
  for (TestBox& box : boxes) {
    for (auto* const corner : {&box.low, &box.high}) {
      for (float& x : *corner) x = std::fpclassify(x) == FP_SUBNORMAL ? 0 : x;
    }
  }
  return boxes;
}

/// Boxes to look for: some of the leaves, neighbours that touch them, one around everything, others.
std::vector<TestBox> make_queries(const std::vector<TestBox>& boxes, BoxKind kind, std::mt19937_64& generator) {
  std::vector<TestBox> queries = make_boxes(BoxKind::unusual, 20, generator);
  std::ranges::copy(make_boxes(kind, 20, generator), std::back_inserter(queries));
  for (size_t i = 0; i < boxes.size() && i < 20; ++i) {
    const TestBox& box = boxes[generator() % boxes.size()];
    queries.push_back(box);
    queries.push_back({box.high, {box.high[0] + 1, box.high[1] + 1, box.high[2] + 1}});
  }
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  queries.push_back({{-100, -100, -100}, {100, 100, 100}});
  queries.push_back({{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}});
  queries.push_back({{200, 200, 200}, {300, 300, 300}});
  queries.push_back({{-100, -100, -100}, {100, nan, 100}});
  return without_denormals(queries);
}

/// What a test in exact arithmetic says of a hit. Near misses may be found; hits must.
enum class Hit { no, maybe, yes };
Hit hit_if(double smaller, double larger) {
  if (smaller <= larger) return Hit::yes;
  return smaller <= larger + 0x1p-19 * std::abs(larger) ? Hit::maybe : Hit::no;
}

struct TestRay {
  std::array<float, 3> origin;
  float t_min;
  std::array<float, 3> direction;
  float t_max;
};

Hit hits(const TestRay& ray, const TestBox& box) {
  double enters = ray.t_min, leaves = std::numeric_limits<double>::infinity();
  if (!(ray.t_min <= ray.t_max)) return Hit::no;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double low = box.low[axis], high = box.high[axis], at = ray.origin[axis], step = ray.direction[axis];
    if (!(low <= high && std::isfinite(at) && std::abs(step) <= 0x1p100)) return Hit::no;
    if (std::abs(step) < 0x1p-100) {
      if (!(low <= at && at <= high)) return Hit::no;
    } else {
      enters = std::max(enters, std::min((low - at) / step, (high - at) / step));
      leaves = std::min(leaves, std::max((low - at) / step, (high - at) / step));
    }
  }
  // Floats overflow, and those near zero may be flushed to it.
  const auto is_rounded = [](double t) { return std::abs(t) > 0x1p126 || (t != 0 && std::abs(t) < 0x1p-126); };
  const Hit hit = std::min(hit_if(enters, leaves), hit_if(enters, ray.t_max));
  return is_rounded(enters) || is_rounded(leaves) ? Hit::maybe : hit;
}

std::vector<TestRay> make_rays(const std::vector<TestBox>& boxes, std::mt19937_64& generator) {
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const auto unit = [&] { return float(generator() >> 40) * 0x1p-23f - 1; };
  const auto vector = [&](float scale) { return std::array{scale * unit(), scale * unit(), scale * unit()}; };
  std::vector<TestRay> rays;
  for (int i = 0; i < 30; ++i) rays.push_back({vector(20), 0, vector(1), infinity});
  for (int i = 0; i < 30 && !boxes.empty(); ++i) {
    // From a box's corner, along an axis, a diagonal or anywhere; and to the corner from outside.
    const TestBox& box = boxes[generator() % boxes.size()];
    const float sign = generator() % 2 ? 1 : -1, range = generator() % 2 ? infinity : 2;
    std::array<float, 3> along{0, 0, 0}, away = vector(16);
    along[generator() % 3] = sign;
    rays.push_back({box.low, 0, along, range});
    rays.push_back({box.high, -range, {sign, 0.5f, 0.25f}, range});
    rays.push_back({box.high, 0.25f, vector(1), range});
    const std::array<float, 3> from{box.low[0] + away[0], box.low[1] + away[1], box.low[2] + away[2]};
    rays.push_back({from, 0, {-away[0], -away[1], -away[2]}, infinity});
  }
  for (const std::array<float, 3>& direction : std::vector<std::array<float, 3>>{
           {0, 0, 0}, {1e-35f, 1, 0}, {1, 1e31f, 1}, {nan, 1, 1}, {1, 1, infinity}, {1e-20f, 1e-20f, 2e-20f}}) {
    rays.push_back({{1, 1, 1}, 0, direction, infinity});
    rays.push_back({{-200, 1, 1}, 0, direction, infinity});
  }
  rays.push_back({{1, nan, 1}, 0, {1, 0, 0}, infinity});
  rays.push_back({{1, -infinity, 1}, 0, {0, 1, 0}, infinity});
  rays.push_back({{1, 1, 1}, nan, {1, 0, 0}, infinity});
  rays.push_back({{1, 1, 1}, 0, {1, 0, 0}, nan});
  rays.push_back({{1, 1, 1}, 2, {1, 0, 0}, 1});
  return rays;
}

/// The marked leaves have all hits, and no misses. Counts the hits.
template <typename Q, typename Test>
void check_hits(const std::vector<uint32_t>& marked, const std::vector<Q>& queries, const std::vector<TestBox>& boxes,
                const Test& test) {
  const size_t row_words = (boxes.size() + 31) / 32;
  size_t lost = 0, wrong = 0;
  for (size_t q = 0; q < queries.size(); ++q) {
    for (size_t i = 0; i < boxes.size(); ++i) {
      const bool found = (marked[q * row_words + i / 32] >> i % 32 & 1) != 0;
      const Hit hit = test(queries[q], boxes[i]);
      if (hit == Hit::yes && !found) ++lost;
      if (hit == Hit::no && found) ++wrong;
    }
  }
  CHECK_EQ(lost, 0);
  CHECK_EQ(wrong, 0);
}

struct NearPoint {
  std::array<float, 3> at;
  float squared_distance;
};

Hit is_near(const NearPoint& point, const TestBox& box) {
  double sum = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double low = box.low[axis], high = box.high[axis], at = point.at[axis];
    if (!(low <= high && std::isfinite(at))) return Hit::no;
    const double distance = std::max({low - at, at - high, 0.0});
    sum += distance * distance;
  }
  if (sum != 0 && sum < 0x1p-100) return Hit::maybe;
  return sum < 0x1p128 ? hit_if(sum, point.squared_distance) : Hit::no;
}

constexpr BoxKind few_box_kinds[] = {BoxKind::clustered, BoxKind::unusual};

}  // namespace

DEVICE_TEST("traversals of a hierarchy find the boxes that overlap a box") {
  const Kernel kernel = device.kernel_from_glsl(std::string("#version 460\n") + source + R"(
    void main() {
      uint i = gl_GlobalInvocationID.x;
      if (i >= args.count) return;
      WeftBox box = weft_load_box(args.queries, 6u * i);
      WeftBvhWalk walk = weft_bvh_overlaps(args.bvh, box);
      while (weft_bvh_next_overlap(walk, args.bvh, box)) mark(i, walk.primitive);
    })");
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("overlaps");
  for (const BoxKind kind : all_box_kinds) {
    for (const size_t count : {700, 33, 2, 1, 0}) {
      INFO("kind: ", to_string(kind), ", boxes: ", count);
      const std::vector<TestBox> boxes = without_denormals(make_boxes(kind, count, generator)),
                                 queries = make_queries(boxes, kind, generator);
      const Tree tree(device, stream, boxes, generator);
      check_same(tree.rows(stream, kernel, queries, generator),
                 rows_of(queries.size(), tree.primitives(),
                         [&](size_t q, uint32_t leaf) { return overlap(queries[q], boxes[tree.primitives()[leaf]]); }));
    }
  }
}

DEVICE_TEST("traversals from a leaf on find each pair of overlapping boxes once") {
  const Kernel kernel = device.kernel_from_glsl(std::string("#version 460\n") + source + R"(
    void main() {
      uint leaf = gl_GlobalInvocationID.x;
      if (leaf >= args.count) return;
      uint i = weft_load_word(args.bvh.indices, 0u, leaf);
      WeftBox box = weft_load_box(args.queries, 6u * i);
      WeftBvhWalk walk = weft_bvh_overlaps(args.bvh, box, leaf + 1u);
      while (weft_bvh_next_overlap(walk, args.bvh, box)) {
        if (walk.leaf > leaf) mark(leaf, walk.primitive);
        else atomicAdd(args.repetitions.at[0], 1u);
      }
    })");
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("pairs of overlapping boxes");
  for (const BoxKind kind : few_box_kinds) {
    for (const size_t count : {300, 3, 1}) {
      INFO("kind: ", to_string(kind), ", boxes: ", count);
      const std::vector<TestBox> boxes = without_denormals(make_boxes(kind, count, generator));
      const Tree tree(device, stream, boxes, generator);
      const auto box_of = [&](size_t leaf) { return boxes[tree.primitives()[leaf]]; };
      check_same(tree.rows(stream, kernel, boxes, generator),
                 rows_of(count, tree.primitives(), [&](size_t one, uint32_t other) {
                   return other > one && overlap(box_of(one), box_of(other));
                 }));
    }
  }
}

DEVICE_TEST("the deepest traversal has the levels that the stack's size is derived from") {
  // The leaves at the origin share a code, below 63 nodes that each split off one box with one bit in its code. All
  // boxes overlap. So on the way to leaf 0, each node pushes a child.
  constexpr uint32_t index_bits = 6, levels = 63 + index_bits;
  constexpr float reach = 0x1p22f;
  std::vector<std::array<float, 3>> centers(1 << index_bits, {0, 0, 0});
  for (size_t axis = 0; axis < 3; ++axis) {
    for (uint32_t bit = 0; bit < 21; ++bit) centers.emplace_back()[axis] = float(1 << bit);
  }
  centers.push_back({0x1p21f, 0x1p21f, 0x1p21f});
  std::vector<TestBox> boxes;
  for (const auto& [x, y, z] : centers) {
    boxes.push_back({{x - reach, y - reach, z - reach}, {x + reach, y + reach, z + reach}});
  }
  const Kernel kernel =
      device.kernel_from_glsl("#version 460\n#define WEFT_BVH_LEVELS " + std::to_string(levels) + source + R"(
    void main() {
      uint i = gl_GlobalInvocationID.x, most = 0u, found = 0u;
      if (i >= args.count) return;
      WeftBox box = weft_load_box(args.queries, 6u * i);
      WeftBvhWalk walk = weft_bvh_overlaps(args.bvh, box);
      while (weft_bvh_next_overlap(walk, args.bvh, box)) {
        most = max(most, walk.top);
        ++found;
      }
      args.rows.at[i * args.row_words] = most;
      args.rows.at[i * args.row_words + 1u] = found;
      args.rows.at[i * args.row_words + 2u] = walk.nodes;
    })");
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("deep hierarchies");
  const Tree tree(device, stream, boxes, generator);
  const std::vector<uint32_t> rows = tree.rows(stream, kernel, std::vector{boxes[0]}, generator);
  CHECK_EQ(rows[0], levels);
  CHECK_EQ(rows[1], boxes.size());
  CHECK_EQ(rows[2], boxes.size() - 1);
}

DEVICE_TEST("traversals of a hierarchy find the boxes that a ray hits") {
  const Kernel kernel = device.kernel_from_glsl(std::string("#version 460\n") + source + R"(
    vec3 vector(uint word) {
      float x[3];
      for (uint k = 0u; k < 3u; ++k) x[k] = uintBitsToFloat(weft_load_word(args.queries, 0u, word + k));
      return vec3(x[0], x[1], x[2]);
    }
    void main() {
      uint i = gl_GlobalInvocationID.x, word = 8u * i;
      if (i >= args.count) return;
      WeftRay ray = weft_ray(vector(word), vector(word + 4u), uintBitsToFloat(weft_load_word(args.queries, 0u, word + 3u)),
                             uintBitsToFloat(weft_load_word(args.queries, 0u, word + 7u)));
      WeftBvhWalk walk = weft_bvh_hits(args.bvh, ray);
      while (weft_bvh_next_hit(walk, args.bvh, ray)) mark(i, walk.primitive);
    })");
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("rays");
  for (const BoxKind kind : all_box_kinds) {
    for (const size_t count : {700, 2, 1, 0}) {
      INFO("kind: ", to_string(kind), ", boxes: ", count);
      const std::vector<TestBox> boxes = without_denormals(make_boxes(kind, count, generator));
      const std::vector<TestRay> rays = make_rays(boxes, generator);
      const Tree tree(device, stream, boxes, generator);
      check_hits(tree.rows(stream, kernel, rays, generator), rays, boxes, hits);
    }
  }
}

DEVICE_TEST("traversals of a hierarchy find the boxes near a point") {
  const Kernel kernel = device.kernel_from_glsl(std::string("#version 460\n") + source + R"(
    void main() {
      uint i = gl_GlobalInvocationID.x;
      if (i >= args.count) return;
      float x[4];
      for (uint k = 0u; k < 4u; ++k) x[k] = uintBitsToFloat(weft_load_word(args.queries, 0u, 4u * i + k));
      vec3 point = vec3(x[0], x[1], x[2]);
      WeftBvhWalk walk = weft_bvh_near(args.bvh, point);
      while (weft_bvh_next_near(walk, args.bvh, point, x[3])) mark(i, walk.primitive);
    })");
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("points");
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (const BoxKind kind : all_box_kinds) {
    for (const size_t count : {700, 2, 1, 0}) {
      INFO("kind: ", to_string(kind), ", boxes: ", count);
      const std::vector<TestBox> boxes = without_denormals(make_boxes(kind, count, generator));
      std::vector<NearPoint> points{{{1, nan, 1}, infinity}, {{infinity, 1, 1}, infinity}, {{1, 1, 1}, nan},
                                    {{1, 1, 1}, -1},         {{1, 1, 1}, infinity},        {{-40, 3, 3}, 2500}};
      for (const TestBox& box : make_boxes(BoxKind::scattered, 20, generator)) points.push_back({box.low, 4});
      for (size_t i = 0; i < std::min<size_t>(count, 20); ++i) points.push_back({boxes[i].high, 0});
      const Tree tree(device, stream, boxes, generator);
      check_hits(tree.rows(stream, kernel, points, generator), points, boxes, is_near);
    }
  }
}
