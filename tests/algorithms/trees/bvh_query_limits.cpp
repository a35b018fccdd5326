#include <cmath>
#include <limits>

#include <weft/bvh_query.h>

#include "tests/algorithms/reference/bvh.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;
using Of = BvhQuery::Of;
using Find = BvhQuery::Find;

/// Primitives exactly at the limit of a query are found.

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

template <typename Q>
std::vector<BvhHit> find(Stream& stream, const BvhQuery& plan, const TestBvh& tree, const std::vector<Q>& queries,
                         std::mt19937_64& generator, const Region& primitives = {}) {
  const Device device = stream.device();
  const Guarded<Q> input(device, stream, queries, generator, 4);
  const Guarded<BvhHit> hits(device, stream, queries.size(), generator, 4);
  plan.record(stream, {.nodes = tree.nodes,
                       .indices = tree.indices,
                       .bounds = tree.bounds,
                       .leaves = tree.leaves,
                       .primitives = primitives,
                       .queries = input,
                       .count = queries.size(),
                       .hits = hits,
                       .ends = {},
                       .found = {},
                       .temporary = {}});
  return hits.read(stream);
}

}  // namespace

DEVICE_TEST("rays find a box that they reach exactly at their end") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("rays at t_max");
  const BvhQuery nearest(device, Of::rays, Find::nearest, 1000), any(device, Of::rays, Find::any, 1000);
  const auto check = [&](const TestBvh& tree, const std::vector<BvhRay>& rays) {
    for (const BvhQuery* plan : {&nearest, &any}) {
      const std::vector<BvhHit> hits = find(stream, *plan, tree, rays, generator);
      size_t lost = 0, wrong = 0;
      for (size_t i = 0; i < hits.size(); ++i) {
        lost += hits[i].primitive == tree::none;
        wrong += !(hits[i].distance <= rays[i].t_max && hits[i].distance >= 0.99999f * rays[i].t_max);
      }
      CHECK_EQ(lost, 0);
      CHECK_EQ(wrong, 0);
    }
  };
  // Boxes that are points, at whole multiples of the direction: t is exact.
  std::vector<BvhRay> rays;
  for (int x = 1; x <= 100; ++x) rays.push_back({{float(21 - 3 * x), 0, 0}, 0, {float(x), 0, 0}, 3});
  for (const size_t count : {1, 2, 300}) {
    check(TestBvh(device, stream, std::vector<TestBox>(count, {{21, 0, 0}, {21, 0, 0}}), generator), rays);
  }
  // Segments to a target, by their direction and length.
  rays.clear();
  for (int i = 0; i < 1000; ++i) {
    const auto unit = [&] { return float(generator() % (1 << 24)) * 0x1p-24f; };
    const std::array<float, 3> from{unit(), unit(), unit()}, to{5 - from[0], 6 - from[1], 7 - from[2]};
    const float length = std::hypot(to[0], to[1], to[2]);
    rays.push_back({from, 0, {to[0] / length, to[1] / length, to[2] / length}, length});
  }
  check(TestBvh(device, stream, std::vector<TestBox>(2, {{5, 6, 7}, {5, 6, 7}}), generator), rays);
  // The nearest of boxes that are closer together than rounding may put the end.
  const float behind = std::nextafter(21.0f, 22.0f);
  const TestBvh two(device, stream, {{{behind, 0, 0}, {behind, 0, 0}}, {{21, 0, 0}, {21, 0, 0}}}, generator);
  for (const float t_max : {inf, 22.0f}) {
    CHECK_EQ(find(stream, nearest, two, std::vector<BvhRay>{{{0, 0, 0}, 0, {1, 0, 0}, t_max}}, generator)[0].primitive,
             1);
  }
}

DEVICE_TEST("rays without a beginning find boxes at every distance") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("rays from infinity");
  const BvhQuery any(device, Of::rays, Find::any, 10);
  const std::vector<BvhRay> rays{{{0, 0, 0}, -inf, {1, 0, 0}, 0},
                                 {{0, 0, 0}, -inf, {0x1p-90f, 0, 0}, 0},  // t overflows.
                                 {{0, 0, 0}, -inf, {0x1p-90f, 0, 0}, inf},
                                 {{0, 0, 0}, -inf, {0x1p-90f, 0x1p-90f, 0x1p-90f}, -0x1p100f}};
  for (const size_t count : {1, 2}) {
    const TestBvh tree(device, stream, std::vector<TestBox>(count, {{-0x1p60f, -0x1p60f, -0x1p60f}, {-0x1p50f, 0, 0}}),
                       generator);
    for (const BvhHit& hit : find(stream, any, tree, rays, generator)) CHECK_NE(hit.primitive, tree::none);
  }
}

DEVICE_TEST("points find a box at exactly their distance") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("points at their distance");
  const BvhQuery nearest(device, Of::points, Find::nearest, 1000);
  std::vector<BvhPoint> points;
  for (int i = 0; i < 1000; ++i) {
    // The limit is the square of the exact distance, rounded up.
    BvhPoint& point = points.emplace_back();
    double sum = 0;
    for (float& x : point.at) {
      x = float(generator() % (1 << 24)) * 0x1p-23f;
      sum += (3.0 - x) * (3.0 - x);
    }
    point.squared_distance = float(sum);
    if (point.squared_distance < sum) point.squared_distance = std::nextafter(point.squared_distance, inf);
  }
  const TestBvh tree(device, stream, std::vector<TestBox>(2, {{3, 3, 3}, {4, 4, 4}}), generator);
  size_t lost = 0, wrong = 0;
  const std::vector<BvhHit> hits = find(stream, nearest, tree, points, generator);
  for (size_t i = 0; i < hits.size(); ++i) {
    lost += hits[i].primitive == tree::none;
    wrong += !(hits[i].distance <= points[i].squared_distance);
  }
  CHECK_EQ(lost, 0);
  CHECK_EQ(wrong, 0);
}

DEVICE_TEST("corners of thin triangles are near to them") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("corners of needles");
  const BvhQuery nearest(device, Of::points, Find::nearest, 1000, {.test = BvhQuery::Test::triangles(Of::points)});
  std::vector<TestTriangle> triangles;
  std::vector<TestBox> boxes;
  std::vector<BvhPoint> points;
  for (int i = 0; i < 300; ++i) {
    TestTriangle& x = triangles.emplace_back();
    const auto unit = [&] { return float(generator() % (1 << 24)) * 0x1p-24f; };
    for (size_t axis = 0; axis < 3; ++axis) {
      x[0][axis] = unit();
      x[1][axis] = unit();
      x[2][axis] = 0.5f * (x[0][axis] + x[1][axis]) + (i % 2) * 1e-5f * unit();
    }
    for (const auto& corner : x) points.push_back({corner, 0});
    boxes.push_back(united(united({x[0], x[0]}, {x[1], x[1]}), {x[2], x[2]}));
  }
  const TestBvh tree(device, stream, boxes, generator);
  const Guarded<TestTriangle> corners(device, stream, triangles, generator, 4);
  const std::vector<BvhHit> hits = find(stream, nearest, tree, points, generator, corners);
  size_t wrong = 0;
  for (size_t i = 0; i < hits.size(); ++i) wrong += hits[i].primitive != i / 3 || hits[i].distance != 0;
  CHECK_EQ(wrong, 0);
}
