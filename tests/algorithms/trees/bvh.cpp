#include "tests/algorithms/reference/bvh.h"

#include <weft/glsl.h>

#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// weft/device/bvh.glsl: what a traversal finds is what a loop over all leaves finds.

namespace {

// Each invocation sets a bit for each primitive that its traversal finds, in a row of its own. A bit that it finds set
// counts as a repetition.
constexpr const char* bvh_source = R"(
  layout(local_size_x = 64) in;
  #include "weft/device/bvh_ropes.glsl"
  layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint at[]; };
  layout(push_constant, scalar) uniform Arguments {
    WeftBvh bvh;
    uvec2 queries;
    Words rows, repetitions;
    uvec2 leaf_parents;
    uint count, row_words;
  } args;

  void mark(uint i, uint primitive) {
    uint word = i * args.row_words + primitive / 32u, bit = 1u << (primitive % 32u);
    if ((args.rows.at[word] & bit) != 0u) atomicAdd(args.repetitions.at[0], 1u);
    args.rows.at[word] |= bit;
  }
)";

struct BvhBlock {
  Bvh bvh;
  uint64_t queries, rows, repetitions, leaf_parents;
  uint32_t count, row_words;
};

/// The rows that a kernel writes for these queries.
template <typename Q>
std::vector<uint32_t> marked_rows(Stream& stream, const Kernel& kernel, const TestBvh& tree,
                                  const std::vector<Q>& queries, std::mt19937_64& generator) {
  const Device device = stream.device();
  const auto count = uint32_t(queries.size()), row_words = (tree.leaves + 31) / 32;
  const Guarded<Q> input(device, stream, queries, generator, 4);
  const Guarded<uint32_t> rows(device, stream, std::vector<uint32_t>(count * row_words), generator),
      repetitions(device, stream, std::vector<uint32_t>{0}, generator);
  const auto address = [](const Region& region) { return region.address(); };
  stream.dispatch(kernel, {(count + 63) / 64},
                  BvhBlock{tree.in_kernels(), address(input), address(rows), address(repetitions),
                           address(tree.leaf_parents), count, row_words});
  CHECK_EQ(repetitions.read(stream)[0], 0);
  return rows.read(stream);
}

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

/// The marked leaves have all hits, and no misses. Counts the hits.
template <typename Q, typename Test>
void check_hits(const std::vector<uint32_t>& marked, const std::vector<Q>& queries, const std::vector<TestBox>& boxes,
                const Test& test) {
  const size_t row_words = (boxes.size() + 31) / 32;
  size_t lost = 0, wrong = 0;
  for (size_t q = 0; q < queries.size(); ++q) {
    for (size_t i = 0; i < boxes.size(); ++i) {
      const bool found = (marked[q * row_words + i / 32] >> i % 32 & 1) != 0;
      const Hit hit = test(queries[q], boxes[i]).hit;
      if (hit == Hit::yes && !found) ++lost;
      if (hit == Hit::no && found) ++wrong;
    }
  }
  CHECK_EQ(lost, 0);
  CHECK_EQ(wrong, 0);
}

constexpr BoxKind few_box_kinds[] = {BoxKind::clustered, BoxKind::unusual};

/// The hierarchies that Lbvh builds over these boxes.
std::vector<TestBvh> trees_over(const Device& device, Stream& stream, const std::vector<TestBox>& boxes,
                                std::mt19937_64& generator) {
  std::vector<TestBvh> trees;
  for (const auto build : {build_lbvh, build_agglomerative}) {
    trees.emplace_back(device, stream, build(boxes, centers_of(boxes), 63), generator);
  }
  return trees;
}

}  // namespace

namespace {

/// Compares what a traversal of `main`, a kernel's main function, finds with all boxes that overlap.
void check_overlaps(const Device& device, const std::string& main, std::initializer_list<size_t> counts) {
  const Kernel kernel = device.kernel_from_glsl(std::string("#version 460\n") + bvh_source + main);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("overlaps");
  for (const BoxKind kind : all_box_kinds) {
    for (const size_t count : counts) {
      INFO("kind: ", std::string(to_string(kind)), ", boxes: ", count);
      const std::vector<TestBox> boxes = without_denormals(make_boxes(kind, count, generator)),
                                 queries = make_query_boxes(boxes, kind, generator);
      for (const TestBvh& tree : trees_over(device, stream, boxes, generator)) {
        check_same(marked_rows(stream, kernel, tree, queries, generator),
                   rows_of(queries.size(), tree.built.indices, [&](size_t q, uint32_t leaf) {
                     return overlap(queries[q], boxes[tree.built.indices[leaf]]);
                   }));
      }
    }
  }
}

}  // namespace

DEVICE_TEST("traversals of a hierarchy find the boxes that overlap a box") {
  check_overlaps(device, R"(
    void main() {
      uint i = gl_GlobalInvocationID.x;
      if (i >= args.count) return;
      WeftBox box = weft_load_box(args.queries, 6u * i);
      WeftBvhWalk walk = weft_bvh_overlaps(args.bvh, box);
      while (weft_bvh_next_overlap(walk, args.bvh, box)) mark(i, walk.primitive);
    })",
                 {700, 33, 2, 1, 0});
}

DEVICE_TEST("traversals by ropes find the boxes that overlap a box, in the order of leaves") {
  check_overlaps(device, R"(
    void main() {
      uint i = gl_GlobalInvocationID.x, next = 0u;
      if (i >= args.count) return;
      WeftBox box = weft_load_box(args.queries, 6u * i);
      WeftBvhRopes ropes = weft_bvh_ropes(args.bvh);
      while (weft_bvh_next_by_rope(ropes, args.bvh, args.leaf_parents, box)) {
        if (ropes.leaf >= next) mark(i, ropes.primitive);
        next = ropes.leaf + 1u;
      }
    })",
                 {700, 33, 2, 1, 0});
}

DEVICE_TEST("traversals by ropes within traversals with a stack") {
  check_overlaps(device, R"(
    void main() {
      uint i = gl_GlobalInvocationID.x;
      if (i >= args.count) return;
      WeftBox box = weft_load_box(args.queries, 6u * i);
      WeftBvhWalk walk = weft_bvh_overlaps(args.bvh, box);
      while (weft_bvh_next_overlap(walk, args.bvh, box)) {
        WeftBvhRopes ropes = weft_bvh_ropes(args.bvh);
        bool again = false;
        while (weft_bvh_next_by_rope(ropes, args.bvh, args.leaf_parents, box)) {
          again = again || ropes.primitive == walk.primitive;
        }
        if (again) mark(i, walk.primitive);
      }
    })",
                 {40});
}

DEVICE_TEST("traversals from a leaf on find each pair of overlapping boxes once") {
  const Kernel kernel = device.kernel_from_glsl(std::string("#version 460\n") + bvh_source + R"(
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
      INFO("kind: ", std::string(to_string(kind)), ", boxes: ", count);
      const std::vector<TestBox> boxes = without_denormals(make_boxes(kind, count, generator));
      for (const TestBvh& tree : trees_over(device, stream, boxes, generator)) {
        const auto box_of = [&](size_t leaf) { return boxes[tree.built.indices[leaf]]; };
        check_same(marked_rows(stream, kernel, tree, boxes, generator),
                   rows_of(count, tree.built.indices, [&](size_t one, uint32_t other) {
                     return other > one && overlap(box_of(one), box_of(other));
                   }));
      }
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
      device.kernel_from_glsl("#version 460\n#define WEFT_BVH_LEVELS " + std::to_string(levels) + bvh_source + R"(
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
  const TestBvh tree(device, stream, boxes, generator);
  const std::vector<uint32_t> rows = marked_rows(stream, kernel, tree, std::vector{boxes[0]}, generator);
  CHECK_EQ(rows[0], levels);
  CHECK_EQ(rows[1], boxes.size());
  CHECK_EQ(rows[2], boxes.size() - 1);
}

namespace {

/// Compares what a traversal of `main`, a kernel's main function, finds with all boxes that a ray hits.
void check_rays(const Device& device, const std::string& main, std::initializer_list<size_t> counts) {
  const Kernel kernel = device.kernel_from_glsl(std::string("#version 460\n") + bvh_source + ray_source + main);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("rays");
  for (const BoxKind kind : all_box_kinds) {
    for (const size_t count : counts) {
      INFO("kind: ", std::string(to_string(kind)), ", boxes: ", count);
      const std::vector<TestBox> boxes = without_denormals(make_boxes(kind, count, generator));
      const std::vector<BvhRay> rays = make_rays(boxes, generator);
      for (const TestBvh& tree : trees_over(device, stream, boxes, generator)) {
        check_hits(marked_rows(stream, kernel, tree, rays, generator), rays, boxes,
                   [](const auto& ray, const auto& box) { return hits(ray, box); });
      }
    }
  }
}

}  // namespace

DEVICE_TEST("traversals of a hierarchy find the boxes that a ray hits") {
  check_rays(device, R"(
    void main() {
      uint i = gl_GlobalInvocationID.x;
      if (i >= args.count) return;
      WeftRay ray = ray_of(args.queries, i);
      WeftBvhWalk walk = weft_bvh_hits(args.bvh, ray);
      while (weft_bvh_next_hit(walk, args.bvh, ray)) mark(i, walk.primitive);
    })",
             {700, 2, 1, 0});
}

DEVICE_TEST("traversals by ropes find the boxes that a ray hits, in the order of leaves") {
  check_rays(device, R"(
    void main() {
      uint i = gl_GlobalInvocationID.x, next = 0u;
      if (i >= args.count) return;
      WeftRay ray = ray_of(args.queries, i);
      WeftBvhRopes ropes = weft_bvh_ropes(args.bvh);
      while (weft_bvh_next_by_rope(ropes, args.bvh, args.leaf_parents, ray)) {
        if (ropes.leaf >= next) mark(i, ropes.primitive);
        next = ropes.leaf + 1u;
      }
    })",
             {700, 33, 2, 1, 0});
}

DEVICE_TEST("the first hit of a ray is the same by ropes and with a stack") {
  const Kernel kernel = device.kernel_from_glsl(std::string("#version 460\n") + bvh_source + ray_source + R"(
    // Of several with the same t, the lowest index.
    void hit(inout WeftRay ray, inout uint nearest, uint primitive, float t) {
      if (t > ray.t_max || (t == ray.t_max && primitive > nearest)) return;
      ray.t_max = t;
      nearest = primitive;
    }

    void main() {
      uint i = gl_GlobalInvocationID.x, by_stack = ~0u, by_ropes = ~0u;
      if (i >= args.count) return;
      WeftRay ray = ray_of(args.queries, i);
      WeftBvhWalk walk = weft_bvh_hits(args.bvh, ray);
      while (weft_bvh_next_hit(walk, args.bvh, ray)) hit(ray, by_stack, walk.primitive, walk.distance);
      WeftRay other = ray_of(args.queries, i);
      WeftBvhRopes ropes = weft_bvh_ropes(args.bvh);
      while (weft_bvh_next_by_rope(ropes, args.bvh, args.leaf_parents, other)) {
        hit(other, by_ropes, ropes.primitive, ropes.distance);
      }
      args.rows.at[i * args.row_words] = by_stack;
      args.rows.at[i * args.row_words + 1u] = by_ropes;
      args.rows.at[i * args.row_words + 2u] = floatBitsToUint(ray.t_max);
      args.rows.at[i * args.row_words + 3u] = floatBitsToUint(other.t_max);
    })");
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("first hits");
  for (const BoxKind kind : few_box_kinds) {
    INFO("kind: ", std::string(to_string(kind)));
    const std::vector<TestBox> boxes = without_denormals(make_boxes(kind, 300, generator));
    const std::vector<BvhRay> rays = make_rays(boxes, generator);
    const TestBvh tree(device, stream, boxes, generator);
    const std::vector<uint32_t> rows = marked_rows(stream, kernel, tree, rays, generator);
    const size_t row_words = rows.size() / rays.size();
    size_t different = 0, found = 0;
    for (size_t i = 0; i < rows.size(); i += row_words) {
      found += rows[i] != tree::none;
      different += rows[i] != rows[i + 1] || rows[i + 2] != rows[i + 3];
    }
    CHECK_EQ(different, 0);
    CHECK_GT(found, 0);
  }
}

DEVICE_TEST("traversals of a hierarchy find the boxes near a point") {
  const Kernel kernel = device.kernel_from_glsl(std::string("#version 460\n") + bvh_source + R"(
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
  for (const BoxKind kind : all_box_kinds) {
    for (const size_t count : {700, 2, 1, 0}) {
      INFO("kind: ", std::string(to_string(kind)), ", boxes: ", count);
      const std::vector<TestBox> boxes = without_denormals(make_boxes(kind, count, generator));
      const std::vector<BvhPoint> points = make_points(boxes, generator);
      for (const TestBvh& tree : trees_over(device, stream, boxes, generator)) {
        check_hits(marked_rows(stream, kernel, tree, points, generator), points, boxes,
                   [](const auto& point, const auto& box) { return is_near(point, box); });
      }
    }
  }
}
