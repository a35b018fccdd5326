#include <bit>
#include <cmath>

#include <weft/box_kd_tree.h>
#include <weft/glsl.h>

#include "tests/algorithms/reference/bvh.h"
#include "tests/algorithms/trees/built_box_kd.h"

using namespace weft;
using namespace weft::test;

/// weft/device/box_kd_tree.glsl: what a traversal finds is what a loop over all boxes finds.

namespace {

/// Marks what a traversal finds: for each query a bit for each box.
constexpr const char* traversal_source = R"(#version 460
  layout(local_size_x = 64) in;
  #include "weft/device/box_kd_tree.glsl"
  layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint at[]; };
  layout(push_constant, scalar) uniform Arguments {
    WeftBoxKdTree tree;
    uvec2 boxes, queries;
    Words rows;
    uint count, row_words;
  } args;

  void mark(uint i, uint primitive) { args.rows.at[i * args.row_words + primitive / 32u] |= 1u << (primitive % 32u); }
  WeftBox box_of(uint i) { return weft_load_box(args.boxes, 6u * i); }
)";

struct TraversalBlock {
  uint64_t nodes, references, boxes, queries, rows;
  uint32_t count, row_words;
};

template <typename Q>
std::vector<uint32_t> marked_rows(Stream& stream, const Kernel& kernel, const BoxKd& tree,
                                  const std::vector<TestBox>& boxes, const std::vector<Q>& queries,
                                  std::mt19937_64& generator) {
  const Device device = stream.device();
  const auto count = uint32_t(queries.size()), row_words = uint32_t(boxes.size() + 31) / 32;
  const Guarded<BoxKdNode> nodes(device, stream, tree.nodes, generator);
  const Guarded<uint32_t> references(device, stream, tree.references, generator, 4),
      rows(device, stream, std::vector<uint32_t>(count * row_words), generator);
  const Guarded<TestBox> of_boxes(device, stream, boxes, generator, 4);
  const Guarded<Q> input(device, stream, queries, generator, 4);
  const auto address = [](const Region& region) { return region.address(); };
  stream.dispatch(kernel, {(count + 63) / 64},
                  TraversalBlock{address(nodes), address(references), address(of_boxes), address(input), address(rows),
                                 count, row_words});
  return rows.read(stream);
}

}  // namespace

DEVICE_TEST("traversals of kd-trees find the boxes that overlap a box") {
  const Kernel kernel = device.kernel_from_glsl(std::string(traversal_source) + R"(
    void main() {
      uint i = gl_GlobalInvocationID.x;
      if (i >= args.count) return;
      WeftBox box = weft_load_box(args.queries, 6u * i);
      WeftBoxKdWalk walk = weft_box_kd_overlaps(box);
      while (weft_box_kd_next_overlap(walk, args.tree, box)) {
        if (weft_overlap(box, box_of(walk.primitive))) mark(i, walk.primitive);
      }
    })");
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("overlaps");
  const BuiltBoxKd built(device, 300, {.leaf_size = 2});
  const auto check = [&](const std::vector<TestBox>& boxes, const std::vector<TestBox>& queries) {
    const BoxKd tree = built.build(stream, boxes, generator);
    const std::vector<uint32_t> rows = marked_rows(stream, kernel, tree, boxes, queries, generator);
    std::vector<uint32_t> expected(rows.size());
    for (size_t q = 0; q < queries.size(); ++q) {
      for (uint32_t i = 0; i < boxes.size(); ++i) {
        const bool found = overlap(queries[q], boxes[i]) && is_box(boxes[i]);
        if (found) expected[q * ((boxes.size() + 31) / 32) + i / 32] |= 1u << i % 32;
      }
    }
    check_same(rows, expected);
  };
  for (const BoxKind kind : all_box_kinds) {
    for (const size_t count : {300, 1}) {
      INFO("kind: ", std::string(to_string(kind)), ", boxes: ", count);
      const std::vector<TestBox> boxes = without_denormals(make_boxes(kind, count, generator));
      check(boxes, make_query_boxes(boxes, kind, generator));
    }
  }
  check(make_boxes_on_planes(300, generator), make_boxes_on_planes(100, generator));
}

DEVICE_TEST("traversals of kd-trees find the boxes that a ray hits, and the first of them") {
  const std::string all = R"(
    void main() {
      uint i = gl_GlobalInvocationID.x;
      if (i >= args.count) return;
      WeftRay ray = ray_of(args.queries, i);
      WeftBoxKdWalk walk = weft_box_kd_hits(ray);
      float t;
      while (weft_box_kd_next_hit(walk, args.tree, ray)) {
        if (weft_ray_box(ray, box_of(walk.primitive), t)) mark(i, walk.primitive);
      }
    })";
  // The ray ends at the nearest hit so far. Word 0: its t; word 1: the lowest t among all boxes.
  const std::string first = R"(
    void main() {
      uint i = gl_GlobalInvocationID.x;
      if (i >= args.count) return;
      WeftRay ray = ray_of(args.queries, i), given = ray;
      WeftBoxKdWalk walk = weft_box_kd_hits(ray);
      float t, nearest = weft_infinity();
      while (weft_box_kd_next_hit(walk, args.tree, ray)) {
        if (weft_ray_box(ray, box_of(walk.primitive), t)) ray.t_max = min(ray.t_max, t);
      }
      for (uint k = 0u; k < 300u; ++k) {
        if (weft_ray_box(given, box_of(k), t)) nearest = min(nearest, t);
      }
      args.rows.at[i * args.row_words] = floatBitsToUint(min(ray.t_max, given.t_max));
      args.rows.at[i * args.row_words + 1u] = floatBitsToUint(min(nearest, given.t_max));
    })";
  const std::string with_rays = std::string(traversal_source) + ray_source;
  const Kernel of_all = device.kernel_from_glsl(with_rays + all), of_first = device.kernel_from_glsl(with_rays + first);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("rays");
  const BuiltBoxKd built(device, 300, {.leaf_size = 2});
  const auto check = [&](const std::vector<TestBox>& boxes, const std::vector<BvhRay>& rays, bool check_first) {
    const BoxKd tree = built.build(stream, boxes, generator);
    const std::vector<uint32_t> rows = marked_rows(stream, of_all, tree, boxes, rays, generator);
    const size_t row_words = (boxes.size() + 31) / 32;
    size_t lost = 0, wrong = 0, found = 0, different = 0;
    for (size_t q = 0; q < rays.size(); ++q) {
      for (size_t i = 0; i < boxes.size(); ++i) {
        const bool marked = (rows[q * row_words + i / 32] >> i % 32 & 1) != 0;
        const Hit hit = is_box(boxes[i]) ? hits(rays[q], boxes[i]).hit : Hit::no;
        found += marked;
        lost += hit == Hit::yes && !marked;
        wrong += hit == Hit::no && marked;
      }
    }
    CHECK_EQ(lost, 0);
    CHECK_EQ(wrong, 0);
    CHECK_GT(found, 0);
    if (!check_first) return;
    const std::vector<uint32_t> nearest = marked_rows(stream, of_first, tree, boxes, rays, generator);
    for (size_t q = 0; q < rays.size(); ++q) {
      const float at = std::bit_cast<float>(nearest[q * row_words]),
                  least = std::bit_cast<float>(nearest[q * row_words + 1]);
      different += !(at == least || std::abs(at - least) <= 1e-5f * std::abs(least)) && rays[q].t_min <= rays[q].t_max;
    }
    CHECK_EQ(different, 0);
  };
  for (const BoxKind kind : all_box_kinds) {
    INFO("kind: ", std::string(to_string(kind)));
    const std::vector<TestBox> boxes = without_denormals(make_boxes(kind, 300, generator));
    // Near-infinite distances may round either way.
    check(boxes, make_rays(boxes, generator), kind != BoxKind::unusual);
  }
  // Along planes, and from one to another.
  std::vector<BvhRay> rays;
  for (int i = 0; i < 100; ++i) {
    BvhRay& ray = rays.emplace_back();
    for (float& x : ray.origin) x = float(generator() % 17);
    ray.direction = {0, 0, 0};
    ray.direction[generator() % 3] = generator() % 2 ? 1 : -1;
    if (i % 3 == 0) ray.direction[generator() % 3] = 2;
  }
  check(make_boxes_on_planes(300, generator), rays, true);
}
