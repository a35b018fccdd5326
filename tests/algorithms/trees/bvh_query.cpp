#include <weft/bvh_query.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/algorithms/reference/bvh.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;
using Of = BvhQuery::Of;
using Find = BvhQuery::Find;

namespace {

constexpr uint64_t most_hits = 400;
// Hits and misses alike, and what no query may find.
constexpr BoxKind hit_box_kinds[] = {BoxKind::scattered, BoxKind::clustered, BoxKind::equal, BoxKind::unusual};

/// Runs a plan on a tree.
class Asker {
 public:
  Asker(const Device& device, const BvhQuery& plan)
      : plan_(plan), temporary_(device.buffer<std::byte>(std::max<uint64_t>(plan.temporary_bytes(), 1))) {}

  struct Listed {
    std::vector<uint32_t> hits;
    std::vector<uint64_t> ends;
    uint64_t found;
  };
  /// With room for `capacity` hits. Counts are numbers, or in device memory.
  template <typename Q>
  Listed list(Stream& stream, const TestBvh& tree, const std::vector<Q>& queries, uint64_t capacity, bool on_device,
              std::mt19937_64& generator, const Region& primitives = {}) const {
    const Device device = stream.device();
    const Guarded<Q> input(device, stream, queries, generator, 4);
    const Guarded<uint32_t> hits(device, stream, capacity, generator, 4);
    const Guarded<uint64_t> ends(device, stream, queries.size(), generator, 8), found(device, stream, 1, generator, 8);
    BvhQuery::Arguments arguments = in(tree, primitives, input, queries.size());
    const Guarded<uint32_t> counts(device, stream, std::vector{uint32_t(queries.size()), tree.leaves}, generator);
    if (on_device) {
      fill_roomy(device, stream, tree);
      arguments.nodes = nodes_;
      arguments.indices = indices_;
      arguments.count = Count(counts.view().part(0, 1));
      arguments.leaves = Count(counts.view().part(1, 1));
    }
    arguments.hits = hits;
    arguments.ends = ends;
    arguments.found = found.view();
    arguments.temporary = temporary_.view().region().part(0, plan_.temporary_bytes());
    plan_.record(stream, arguments);
    return {hits.read(stream), ends.read(stream), found.read(stream)[0]};
  }

  template <typename Q>
  std::vector<BvhHit> find(Stream& stream, const TestBvh& tree, const std::vector<Q>& queries,
                           std::mt19937_64& generator, const Region& primitives = {}) const {
    const Device device = stream.device();
    const Guarded<Q> input(device, stream, queries, generator, 4);
    const Guarded<BvhHit> hits(device, stream, queries.size(), generator, 4);
    BvhQuery::Arguments arguments = in(tree, primitives, input, queries.size());
    arguments.hits = hits;
    plan_.record(stream, arguments);
    return hits.read(stream);
  }

 private:
  static BvhQuery::Arguments in(const TestBvh& tree, const Region& primitives, const Region& queries, uint64_t count) {
    return {.nodes = tree.nodes,
            .indices = tree.indices,
            .bounds = tree.bounds,
            .leaves = tree.leaves,
            .primitives = primitives,
            .queries = queries,
            .count = count,
            .hits = {},
            .ends = {},
            .found = {},
            .temporary = {}};
  }
  // Where the number of leaves is on the device, there may be room for more.
  void fill_roomy(const Device& device, Stream& stream, const TestBvh& tree) const {
    nodes_ = device.buffer<BvhNode>(tree.leaves + 3);
    indices_ = device.buffer<uint32_t>(tree.leaves + 3);
    if (!tree.built.nodes.empty()) stream.upload<BvhNode>(nodes_.view().part(0, tree.leaves - 1), tree.built.nodes);
    if (tree.leaves > 0) stream.upload<uint32_t>(indices_.view().part(0, tree.leaves), tree.built.indices);
  }

  BvhQuery plan_;
  Buffer<std::byte> temporary_;
  mutable Buffer<BvhNode> nodes_;
  mutable Buffer<uint32_t> indices_;
};

/// Whether the lists have all hits of `test`, once each, and no misses.
template <typename Q, typename P, typename Test>
void check_lists(const Asker::Listed& listed, const std::vector<Q>& queries, const std::vector<P>& primitives,
                 const Test& test) {
  REQUIRE_EQ(listed.found, queries.empty() ? 0 : listed.ends.back());
  REQUIRE_EQ(listed.hits.size(), listed.found);
  size_t lost = 0, wrong = 0;
  for (size_t q = 0; q < queries.size(); ++q) {
    const uint64_t begin = q == 0 ? 0 : listed.ends[q - 1];
    REQUIRE_LE(begin, listed.ends[q]);
    std::vector<uint32_t> times(primitives.size());
    for (uint64_t k = begin; k < listed.ends[q]; ++k) {
      REQUIRE_LT(listed.hits[k], primitives.size());
      ++times[listed.hits[k]];
    }
    for (size_t i = 0; i < primitives.size(); ++i) {
      const Hit hit = test(queries[q], primitives[i]).hit;
      if (hit == Hit::yes && times[i] == 0) ++lost;
      if (times[i] > (hit == Hit::no ? 0 : 1)) ++wrong;
    }
  }
  CHECK_EQ(lost, 0);
  CHECK_EQ(wrong, 0);
}

/// Whether each query found its nearest primitive, to within `relative` of its distance; or, unless `is_nearest`, any.
/// Near misses may have other distances.
template <typename Q, typename P, typename Test>
void check_found(const std::vector<BvhHit>& found, const std::vector<Q>& queries, const std::vector<P>& primitives,
                 const Test& test, bool is_nearest, double relative) {
  size_t lost = 0, wrong = 0;
  for (size_t q = 0; q < queries.size(); ++q) {
    const auto [primitive, distance] = found[q];
    const double slack = relative * std::max(std::abs(double(distance)), relative);
    if (primitive == tree::none) {
      wrong += distance != std::numeric_limits<float>::infinity();
    } else {
      REQUIRE_LT(primitive, primitives.size());
      const Found exact = test(queries[q], primitives[primitive]);
      const bool far = exact.hit == Hit::yes && !(std::abs(exact.distance - distance) <= slack);
      if (exact.hit == Hit::no || far) ++wrong;
    }
    for (size_t i = 0; i < primitives.size(); ++i) {
      const auto [hit, its_distance] = test(queries[q], primitives[i]);
      const bool same = primitive != tree::none && Bytes<P>::same(primitives[i], primitives[primitive]);
      if (hit != Hit::yes) continue;
      if (primitive == tree::none || (is_nearest && (its_distance < distance - slack || (same && i < primitive)))) {
        ++lost;
      }
    }
  }
  CHECK_EQ(lost, 0);
  CHECK_EQ(wrong, 0);
}

const auto hit_by = [](const BvhRay& ray, const auto& primitive) { return hits(ray, primitive); };
const auto near_to = [](const BvhPoint& point, const auto& primitive) { return is_near(point, primitive); };
const auto over = [](const TestBox& query, const TestBox& box) {
  return Found{overlap(query, box) ? Hit::yes : Hit::no};
};

struct Triangles {
  std::vector<TestTriangle> corners;
  std::vector<TestBox> boxes;
};

Triangles make_triangles(size_t count, std::mt19937_64& generator) {
  const std::vector<TestBox> from = make_boxes(BoxKind::scattered, count, generator);
  Triangles triangles;
  for (const TestBox& box : from) {
    TestTriangle& corners = triangles.corners.emplace_back();
    for (auto& corner : corners) {
      for (size_t axis = 0; axis < 3; ++axis) corner[axis] = box.low[axis] + float(generator() % 1024) * 0x1p-9f;
    }
    triangles.boxes.push_back(
        united(united({corners[0], corners[0]}, {corners[1], corners[1]}), {corners[2], corners[2]}));
  }
  return triangles;
}

/// A star-shaped surface around (offset, offset, offset), whose triangles share their corners.
std::vector<TestTriangle> closed_mesh(float offset, std::mt19937_64& generator) {
  constexpr uint32_t rows = 9, columns = 14;
  std::vector<std::array<float, 3>> corners;
  for (uint32_t i = 0; i <= rows; ++i) {
    for (uint32_t j = 0; j < columns; ++j) {
      const bool is_pole = i == 0 || i == rows;
      const double a = 3.14159265358979 * i / rows, b = 6.28318530717959 * j / columns,
                   r = is_pole ? 1 : 1 + 0.1 * double(generator() % 1000) / 1000, ring = is_pole ? 0 : r * std::sin(a);
      corners.push_back(
          {float(ring * std::cos(b)) + offset, float(ring * std::sin(b)) + offset, float(r * std::cos(a)) + offset});
    }
  }
  std::vector<TestTriangle> mesh;
  for (uint32_t i = 0; i < rows; ++i) {
    for (uint32_t j = 0; j < columns; ++j) {
      const auto corner = [&](uint32_t row, uint32_t column) { return corners[row * columns + column % columns]; };
      if (i > 0) mesh.push_back({corner(i, j), corner(i + 1, j), corner(i, j + 1)});
      if (i + 1 < rows) mesh.push_back({corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)});
    }
  }
  return mesh;
}

}  // namespace

DEVICE_TEST("queries list the boxes that overlap boxes") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("lists of overlaps");
  const Asker asker(device, BvhQuery(device, Of::boxes, Find::all, most_hits));
  for (const BoxKind kind : hit_box_kinds) {
    for (const size_t count : {300, 2, 1, 0}) {
      INFO("kind: ", std::string(to_string(kind)), ", boxes: ", count);
      const std::vector<TestBox> boxes = without_denormals(make_boxes(kind, count, generator)),
                                 queries = make_query_boxes(boxes, kind, generator);
      const TestBvh tree(device, stream, boxes, generator);
      const Asker::Listed counted = asker.list(stream, tree, queries, 0, count <= 2, generator),
                          all = asker.list(stream, tree, queries, counted.found, count == 300, generator);
      check_same(all.ends, counted.ends);
      check_lists(all, queries, boxes, over);
      // Of the first hits as many are listed as there is room for; the others are counted. Guards see the rest.
      const uint64_t room = counted.found / 2;
      const Asker::Listed part = asker.list(stream, tree, queries, room, false, generator);
      CHECK_EQ(part.found, counted.found);
      check_same(part.hits, std::vector(all.hits.begin(), all.hits.begin() + std::ptrdiff_t(room)));
    }
  }
  const TestBvh tree(device, stream, make_boxes(BoxKind::equal, 10, generator), generator);
  CHECK_EQ(asker.list(stream, tree, std::vector<TestBox>{}, 5, false, generator).found, 0);
  CHECK_EQ(asker.list(stream, tree, std::vector<TestBox>{}, 5, true, generator).found, 0);
}

DEVICE_TEST("queries list what rays hit and points are near to, and find the nearest or any") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("queries of boxes");
  const auto asker = [&](Of of, Find find) { return Asker(device, BvhQuery(device, of, find, most_hits)); };
  const Asker rays_all = asker(Of::rays, Find::all), rays_nearest = asker(Of::rays, Find::nearest),
              rays_any = asker(Of::rays, Find::any), points_all = asker(Of::points, Find::all),
              points_nearest = asker(Of::points, Find::nearest), boxes_any = asker(Of::boxes, Find::any);
  for (const BoxKind kind : hit_box_kinds) {
    for (const size_t count : {300, 2, 1, 0}) {
      INFO("kind: ", std::string(to_string(kind)), ", boxes: ", count);
      const std::vector<TestBox> boxes = without_denormals(make_boxes(kind, count, generator)),
                                 queries = make_query_boxes(boxes, kind, generator);
      const std::vector<BvhRay> rays = make_rays(boxes, generator);
      const std::vector<BvhPoint> points = make_points(boxes, generator);
      const TestBvh tree(device, stream, boxes, generator);
      const auto all_of = [&](const Asker& plan, const auto& of) {
        return plan.list(stream, tree, of, plan.list(stream, tree, of, 0, false, generator).found, true, generator);
      };
      check_lists(all_of(rays_all, rays), rays, boxes, hit_by);
      check_lists(all_of(points_all, points), points, boxes, near_to);
      check_found(rays_nearest.find(stream, tree, rays, generator), rays, boxes, hit_by, true, 1e-5);
      check_found(rays_any.find(stream, tree, rays, generator), rays, boxes, hit_by, false, 1e-5);
      check_found(points_nearest.find(stream, tree, points, generator), points, boxes, near_to, true, 1e-5);
      check_found(boxes_any.find(stream, tree, queries, generator), queries, boxes, over, false, 0);
    }
  }
}

DEVICE_TEST("of equally near primitives, queries find the one with the lowest index") {
  // All boxes have the origin inside.
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("equally near boxes");
  std::vector<TestBox> boxes = make_boxes(BoxKind::scattered, 100, generator);
  for (TestBox& box : boxes) {
    for (float& x : box.low) x -= 20;
    for (float& x : box.high) x += 20;
  }
  const TestBvh tree(device, stream, boxes, generator);
  const Asker rays(device, BvhQuery(device, Of::rays, Find::nearest, most_hits)),
      points(device, BvhQuery(device, Of::points, Find::nearest, most_hits));
  for (const BvhHit& hit : {rays.find(stream, tree, std::vector<BvhRay>{{{0, 0, 0}, 0, {1, 2, 3}}}, generator)[0],
                            points.find(stream, tree, std::vector<BvhPoint>{{{0, 0, 0}}}, generator)[0]}) {
    CHECK_EQ(hit.primitive, 0);
    CHECK_EQ(hit.distance, 0);
  }
}

DEVICE_TEST("queries of triangles") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("queries of triangles");
  const Triangles triangles = make_triangles(300, generator);
  const TestBvh tree(device, stream, triangles.boxes, generator);
  const Guarded<TestTriangle> corners(device, stream, triangles.corners, generator, 4);
  const auto asker = [&](Of of, Find find) {
    return Asker(device, BvhQuery(device, of, find, most_hits, {.test = BvhQuery::Test::triangles(of)}));
  };
  const std::vector<BvhRay> rays = make_rays(triangles.boxes, generator);
  const std::vector<BvhPoint> points = make_points(triangles.boxes, generator);
  check_found(asker(Of::rays, Find::nearest).find(stream, tree, rays, generator, corners), rays, triangles.corners,
              hit_by, true, 1e-3);
  check_found(asker(Of::rays, Find::any).find(stream, tree, rays, generator, corners), rays, triangles.corners, hit_by,
              false, 1e-3);
  check_found(asker(Of::points, Find::nearest).find(stream, tree, points, generator, corners), points,
              triangles.corners, near_to, true, 1e-3);
  const Asker lister = asker(Of::rays, Find::all);
  const uint64_t found = lister.list(stream, tree, rays, 0, false, generator, corners).found;
  check_lists(lister.list(stream, tree, rays, found, true, generator, corners), rays, triangles.corners, hit_by);
}

DEVICE_TEST("rays through edges and corners of a closed mesh hit a triangle") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("watertight meshes");
  const Asker nearest(
      device, BvhQuery(device, Of::rays, Find::nearest, 2 * most_hits, {.test = BvhQuery::Test::triangles(Of::rays)}));
  for (const float offset : {0.0f, 77.7f}) {
    const std::vector<TestTriangle> mesh = closed_mesh(offset, generator);
    std::vector<TestBox> boxes;
    for (const TestTriangle& x : mesh) boxes.push_back(united(united({x[0], x[0]}, {x[1], x[1]}), {x[2], x[2]}));
    // From inside to a corner, and to a point of an edge, at t = 1.
    std::vector<BvhRay> rays;
    for (size_t i = 0; i < 2 * most_hits; ++i) {
      const auto unit = [&] { return float(generator() % 4096) / 4096; };
      const TestTriangle& triangle = mesh[generator() % mesh.size()];
      const float along = i % 2 ? unit() : 0;
      BvhRay& ray = rays.emplace_back();
      for (size_t axis = 0; axis < 3; ++axis) {
        ray.origin[axis] = offset + 0.05f * unit();
        const float to = triangle[0][axis] + along * (triangle[1][axis] - triangle[0][axis]);
        ray.direction[axis] = to - ray.origin[axis];
      }
    }
    const TestBvh tree(device, stream, boxes, generator);
    const Guarded<TestTriangle> corners(device, stream, mesh, generator, 4);
    const std::vector<BvhHit> hits = nearest.find(stream, tree, rays, generator, corners);
    CHECK_EQ(std::ranges::count(hits, tree::none, &BvhHit::primitive), 0);
    CHECK_EQ(std::ranges::count_if(hits, [](const BvhHit& hit) { return std::abs(hit.distance - 1) < 1e-3f; }),
             rays.size());
  }
}

DEVICE_TEST("queries with a user's test") {
  // Boxes of every third primitive, by an attribute that is not in the hierarchy.
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("a test of primitives");
  const std::vector<TestBox> boxes = make_boxes(BoxKind::clustered, 300, generator);
  std::vector<uint16_t> kinds_of(boxes.size());
  for (size_t i = 0; i < boxes.size(); ++i) kinds_of[i] = uint16_t(i % 3);
  if (!device.info().features.storage16) unsupported("no 16-bit members in buffers");
  const BvhQuery plan(device, Of::boxes, Find::all, most_hits,
                      {.test = BvhQuery::Test{Element::of<uint16_t>(),
                                              "uint(x) == 2u && i != 5u && "
                                              "query.low.x < 1.0"}});
  const TestBvh tree(device, stream, boxes, generator);
  const Guarded<uint16_t> kinds_on_device(device, stream, kinds_of, generator, 2);
  std::vector<uint32_t> numbers(boxes.size());
  std::iota(numbers.begin(), numbers.end(), 0u);
  const Asker asker(device, plan);
  const uint64_t found = asker.list(stream, tree, boxes, 0, false, generator, kinds_on_device).found;
  CHECK_GT(found, 0);
  check_lists(asker.list(stream, tree, boxes, found, false, generator, kinds_on_device), boxes, numbers,
              [&](const TestBox& query, uint32_t i) {
                const bool hit = i % 3 == 2 && i != 5 && query.low[0] < 1 && overlap(query, boxes[i]);
                return Found{hit ? Hit::yes : Hit::no};
              });
}
