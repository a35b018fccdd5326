#include <algorithm>

#include <weft/bvh_query.h>
#include <weft/find_pairs.h>
#include <weft/lbvh.h>

#include "tests/algorithms/reference/bvh.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// Triangles by index: everything is as with the same triangles in memory one after the other.

namespace {

/// A vertex with attributes behind its point.
template <size_t Words>
struct Vertex {
  std::array<float, 3> at;
  std::array<uint32_t, Words - 3> more{};
};
template <>
struct Vertex<3> {
  std::array<float, 3> at;
};

template <size_t Words>
struct Mesh {
  std::vector<Vertex<Words>> vertices;
  std::vector<std::array<uint32_t, 3>> indices;

  Mesh(BoxKind kind, size_t triangles, std::mt19937_64& generator) : indices(triangles) {
    for (const TestBox& box : without_denormals(make_boxes(kind, triangles / 2 + 3, generator))) {
      vertices.push_back({box.low});
    }
    for (auto& triangle : indices) {
      for (uint32_t& i : triangle) i = uint32_t(generator() % vertices.size());
    }
  }

  std::vector<TestTriangle> triangles() const {
    std::vector<TestTriangle> all;
    for (const auto& [a, b, c] : indices) all.push_back({vertices[a].at, vertices[b].at, vertices[c].at});
    return all;
  }
};

/// A hierarchy that the device builds, and refits to other triangles.
struct BuiltTriangles {
  BuiltTriangles(const Device& device, Stream& stream, size_t count, std::mt19937_64& generator)
      : nodes(device, stream, std::max<size_t>(count, 1) - 1, generator),
        indices(device, stream, count, generator),
        leaf_parents(device, stream, count, generator),
        bounds(device, stream, 1, generator) {}

  Lbvh::Arguments arguments(const Region& primitives, const Region& vertices, const Region& temporary,
                            uint64_t count) const {
    return {primitives, nodes, indices, leaf_parents, bounds, count, temporary, vertices};
  }

  Guarded<BvhNode> nodes;
  Guarded<uint32_t> indices, leaf_parents;
  Guarded<Box<3>> bounds;
};

void check_equal(Stream& stream, const BuiltTriangles& actual, const BuiltTriangles& expected) {
  check_same(actual.nodes.read(stream), expected.nodes.read(stream), "the nodes");
  check_same(actual.indices.read(stream), expected.indices.read(stream), "the leaves' primitives");
  check_same(actual.leaf_parents.read(stream), expected.leaf_parents.read(stream), "the leaves' parents");
  check_same(actual.bounds.read(stream), expected.bounds.read(stream), "the bounds");
}

template <size_t Words>
void check_mesh(Stream& stream, BoxKind kind, size_t count, Lbvh::Builder builder, std::mt19937_64& generator) {
  INFO("triangles: ", count, ", words of a vertex: ", Words, ", builder: ", int(builder));
  const Device device = stream.device();
  const Mesh<Words> mesh(kind, count, generator);
  Mesh<Words> moved = mesh;
  for (auto& vertex : moved.vertices) vertex.at[generator() % 3] += 0.5f;
  const Lbvh plain(device, BvhPrimitive::triangles(), count, {.builder = builder}),
      indexed(device, BvhPrimitive::indexed_triangles(4 * Words), count, {.builder = builder});
  const auto temporary =
      device.buffer<std::byte>(std::max<uint64_t>(plain.temporary_bytes(), indexed.temporary_bytes()));
  const BuiltTriangles expected(device, stream, count, generator), actual(device, stream, count, generator);
  const Guarded<std::array<uint32_t, 3>> indices(device, stream, mesh.indices, generator, 4);
  for (const Mesh<Words>* one : {&mesh, &std::as_const(moved)}) {
    const Guarded<TestTriangle> triangles(device, stream, one->triangles(), generator, 4);
    const Guarded<Vertex<Words>> vertices(device, stream, one->vertices, generator, 4);
    const Lbvh::Arguments of_plain = expected.arguments(triangles, {}, temporary, count),
                          of_indexed = actual.arguments(indices, vertices, temporary, count);
    if (one == &mesh) {
      plain.record(stream, of_plain);
      indexed.record(stream, of_indexed);
    } else {
      plain.record_refit(stream, of_plain);
      indexed.record_refit(stream, of_indexed);
    }
    check_equal(stream, actual, expected);
  }
}

}  // namespace

DEVICE_TEST("hierarchies of triangles by index are those of the triangles") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("triangles by index");
  for (const Lbvh::Builder builder : {Lbvh::Builder::one_pass, Lbvh::Builder::agglomerative}) {
    check_mesh<3>(stream, BoxKind::scattered, 500, builder, generator);
    check_mesh<8>(stream, BoxKind::unusual, 300, builder, generator);
  }
  check_mesh<5>(stream, BoxKind::scattered, 1, Lbvh::Builder::one_pass, generator);
}

DEVICE_TEST("queries of triangles by index find those of the triangles") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("queries of triangles by index");
  const Mesh<8> mesh(BoxKind::scattered, 300, generator);
  const std::vector<TestTriangle> triangles = mesh.triangles();
  std::vector<TestBox> boxes;
  for (const TestTriangle& x : triangles) boxes.push_back(united(united({x[0], x[0]}, {x[1], x[1]}), {x[2], x[2]}));
  const TestBvh tree(device, stream, boxes, generator);
  const Guarded<TestTriangle> plain(device, stream, triangles, generator, 4);
  const Guarded<std::array<uint32_t, 3>> indices(device, stream, mesh.indices, generator, 4);
  const Guarded<Vertex<8>> vertices(device, stream, mesh.vertices, generator, 4);
  const auto ask = [&](BvhQuery::Of of, const auto& queries, uint64_t count, bool by_index) {
    const BvhQuery::Test test = by_index ? BvhQuery::Test::indexed_triangles(of, 32) : BvhQuery::Test::triangles(of);
    const Guarded<BvhHit> hits(device, stream, count, generator, 4);
    BvhQuery(device, of, BvhQuery::Find::nearest, count, {.test = test})
        .record(stream, {.nodes = tree.nodes,
                         .indices = tree.indices,
                         .bounds = tree.bounds,
                         .leaves = tree.leaves,
                         .primitives = by_index ? Region(indices) : Region(plain),
                         .queries = queries,
                         .count = count,
                         .hits = hits,
                         .ends = {},
                         .found = {},
                         .temporary = {},
                         .vertices = by_index ? Region(vertices) : Region{}});
    return hits.read(stream);
  };
  const std::vector<BvhRay> rays = make_rays(boxes, generator);
  const std::vector<BvhPoint> points = make_points(boxes, generator);
  const Guarded<BvhRay> of_rays(device, stream, rays, generator, 4);
  const Guarded<BvhPoint> of_points(device, stream, points, generator, 4);
  const std::vector<BvhHit> hits = ask(BvhQuery::Of::rays, of_rays, rays.size(), false);
  CHECK_LT(std::ranges::count(hits, tree::none, &BvhHit::primitive), int64_t(rays.size()));
  check_same(ask(BvhQuery::Of::rays, of_rays, rays.size(), true), hits);
  check_same(ask(BvhQuery::Of::points, of_points, points.size(), true),
             ask(BvhQuery::Of::points, of_points, points.size(), false));
}

DEVICE_TEST("pairs of triangles by index are those of the triangles") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("pairs of triangles by index");
  constexpr size_t count = 150, capacity = count * (count - 1) / 2;
  const Mesh<8> mesh(BoxKind::scattered, count, generator);
  const Guarded<TestTriangle> plain(device, stream, mesh.triangles(), generator, 4);
  const Guarded<std::array<uint32_t, 3>> indices(device, stream, mesh.indices, generator, 4);
  const Guarded<Vertex<8>> vertices(device, stream, mesh.vertices, generator, 4);
  const auto found_by = [&](const FindPairs::Options& options, uint64_t max_count, bool by_index) {
    const BvhPrimitive primitive = by_index ? BvhPrimitive::indexed_triangles(32) : BvhPrimitive::triangles();
    const FindPairs plan(device, primitive, max_count, options);
    const Guarded<IndexPair> pairs(device, stream, capacity, generator, 4);
    const Guarded<uint64_t> found(device, stream, 1, generator, 8);
    plan.record(stream, {.primitives = by_index ? Region(indices) : Region(plain),
                         .pairs = pairs,
                         .found = found.view(),
                         .count = count,
                         .temporary = device.buffer<std::byte>(plan.temporary_bytes()),
                         .vertices = by_index ? Region(vertices) : Region{}});
    std::vector<IndexPair> all = pairs.read(stream);
    all.resize(std::min<size_t>(found.read(stream)[0], all.size()));
    return all;
  };
  const auto check = [&](BroadPhase method, const char* where, uint64_t max_count) {
    INFO("method: ", int(method), ", condition: ", std::string(where));
    const FindPairs::Options options{.method = method, .where = where};
    const std::vector<IndexPair> expected = found_by(options, max_count, false);
    CHECK_GT(expected.size(), 0);
    CHECK_LT(expected.size(), capacity);
    check_same(found_by(options, max_count, true), expected);
  };
  check(BroadPhase::sort_and_sweep, "", count);
  check(BroadPhase::uniform_grid, "a.c.y <= b.b.z", 100'000);  // Candidates with 64-bit indices.
  check(BroadPhase::bvh, "a.b.x <= b.c.y && i % 3u != 1u", count);
}

DEVICE_TEST("triangles by index explain what is wrong") {
  Stream stream = device.stream();
  const auto invalid = [&](const std::vector<std::string>& words, const auto& call) {
    check_error(ErrorCode::invalid_argument, words, call);
  };
  for (const uint32_t bytes : {0u, 8u, 14u}) {
    const std::vector<std::string> words{"'vertex_bytes' is " + std::to_string(bytes), "multiple of 4", "12"};
    invalid(words, [&] { Lbvh(device, BvhPrimitive::indexed_triangles(bytes), 10); });
    invalid(words, [&] { FindPairs(device, BvhPrimitive::indexed_triangles(bytes), 10); });
    invalid(words, [&] {
      BvhQuery(device, BvhQuery::Of::rays, BvhQuery::Find::any, 10,
               {.test = BvhQuery::Test::indexed_triangles(BvhQuery::Of::rays, bytes)});
    });
  }
  invalid({"find_pairs", "by index"},
          [&] { find_pairs(stream, BvhPrimitive::indexed_triangles(), device.buffer<TestTriangle>(1), {}); });
  const Lbvh plan(device, BvhPrimitive::indexed_triangles(), 10), plain(device, BvhPrimitive::triangles(), 10);
  const Buffer<uint32_t> memory = device.buffer<uint32_t>(90);
  const Buffer<BvhNode> nodes = device.buffer<BvhNode>(9);
  const Buffer<uint32_t> indices = device.buffer<uint32_t>(10), leaf_parents = device.buffer<uint32_t>(10);
  const Buffer<Box<3>> bounds = device.buffer<Box<3>>(1);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  Lbvh::Arguments arguments{memory, nodes, indices, leaf_parents, bounds, 10, temporary, {}};
  invalid({"'vertices'", "12"}, [&] { plan.record(stream, arguments); });
  arguments.vertices = memory;
  invalid({"'vertices'", "not triangles by index"}, [&] { plain.record(stream, arguments); });
  arguments.primitives = memory.part(0, 29);
  invalid({"'primitives'"}, [&] { plan.record(stream, arguments); });
  arguments.primitives = memory;
  arguments.vertices = indices;
  invalid({"'vertices'", "'indices'", "overlap"}, [&] { plan.record(stream, arguments); });
  const FindPairs of_pairs(device, BvhPrimitive::indexed_triangles(), 10);
  const Buffer<std::byte> scratch = device.buffer<std::byte>(of_pairs.temporary_bytes());
  const Buffer<uint64_t> found = device.buffer<uint64_t>(1);
  FindPairs::Arguments pairs{memory, {}, found, 10, scratch, {}};
  invalid({"'vertices'", "12"}, [&] { of_pairs.record(stream, pairs); });
  pairs.vertices = memory;
  pairs.primitives = memory.part(0, 29);
  invalid({"'primitives'"}, [&] { of_pairs.record(stream, pairs); });
}
