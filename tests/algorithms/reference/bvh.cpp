#include "tests/algorithms/reference/bvh.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

Hit hit_if(double smaller, double larger) {
  if (smaller <= larger) return Hit::yes;
  return smaller <= larger + 0x1p-19 * std::abs(larger) ? Hit::maybe : Hit::no;
}

struct Vector {
  double x, y, z;

  explicit Vector(const std::array<float, 3>& from) : x(from[0]), y(from[1]), z(from[2]) {}
  Vector(double its_x, double its_y, double its_z) : x(its_x), y(its_y), z(its_z) {}
};
Vector operator+(const Vector& a, const Vector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vector operator*(double a, const Vector& b) { return {a * b.x, a * b.y, a * b.z}; }
double dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vector cross(const Vector& a, const Vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

}  // namespace

std::vector<TestBox> without_denormals(std::vector<TestBox> boxes) {
  for (TestBox& box : boxes) {
    for (auto* const corner : {&box.low, &box.high}) {
      for (float& x : *corner) x = std::fpclassify(x) == FP_SUBNORMAL ? 0 : x;
    }
  }
  return boxes;
}

std::vector<TestBox> make_query_boxes(const std::vector<TestBox>& boxes, BoxKind kind, std::mt19937_64& generator) {
  std::vector<TestBox> queries = make_boxes(BoxKind::unusual, 20, generator);
  std::ranges::copy(make_boxes(kind, 20, generator), std::back_inserter(queries));
  for (size_t i = 0; i < boxes.size() && i < 20; ++i) {
    const TestBox& box = boxes[generator() % boxes.size()];
    queries.push_back(box);
    queries.push_back({box.high, {box.high[0] + 1, box.high[1] + 1, box.high[2] + 1}});
  }
  queries.push_back({{-100, -100, -100}, {100, 100, 100}});
  queries.push_back({{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}});
  queries.push_back({{200, 200, 200}, {300, 300, 300}});
  queries.push_back({{-100, -100, -100}, {100, nan, 100}});
  return without_denormals(queries);
}

bool overlap(const TestBox& a, const TestBox& b) {
  bool all = true;
  for (size_t axis = 0; axis < 3; ++axis) {
    all = all && a.low[axis] <= b.high[axis] && b.low[axis] <= a.high[axis];
  }
  return all;
}

Found hits(const BvhRay& ray, const TestBox& box) {
  double enters = ray.t_min, leaves = std::numeric_limits<double>::infinity();
  if (!(ray.t_min <= ray.t_max)) return {};
  for (size_t axis = 0; axis < 3; ++axis) {
    const double low = box.low[axis], high = box.high[axis], at = ray.origin[axis], step = ray.direction[axis];
    if (!(low <= high && std::isfinite(at) && std::abs(step) <= 0x1p100)) return {};
    if (std::abs(step) < 0x1p-100) {
      if (!(low <= at && at <= high)) return {};
    } else {
      enters = std::max(enters, std::min((low - at) / step, (high - at) / step));
      leaves = std::min(leaves, std::max((low - at) / step, (high - at) / step));
    }
  }
  // Floats overflow, and those near zero may be flushed to it.
  const auto is_rounded = [](double t) { return std::abs(t) > 0x1p126 || (t != 0 && std::abs(t) < 0x1p-126); };
  const Hit hit = std::min(hit_if(enters, leaves), hit_if(enters, ray.t_max));
  return {is_rounded(enters) || is_rounded(leaves) ? Hit::maybe : hit, enters};
}

Found is_near(const BvhPoint& point, const TestBox& box) {
  double sum = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double low = box.low[axis], high = box.high[axis], at = point.at[axis];
    if (!(low <= high && std::isfinite(at))) return {};
    const double distance = std::max({low - at, at - high, 0.0});
    sum += distance * distance;
  }
  if (sum != 0 && sum < 0x1p-100) return {Hit::maybe, sum};
  return {sum < 0x1p128 ? hit_if(sum, point.squared_distance) : Hit::no, sum};
}

Found hits(const BvhRay& ray, const TestTriangle& triangle) {
  if (!(ray.t_min <= ray.t_max)) return {};
  for (size_t axis = 0; axis < 3; ++axis) {
    if (!std::isfinite(ray.origin[axis]) || !(std::abs(ray.direction[axis]) <= 0x1p100f)) return {};
  }
  const Vector a(triangle[0]), to_b = Vector(triangle[1]) - a, to_c = Vector(triangle[2]) - a;
  const Vector direction(ray.direction), to_origin = Vector(ray.origin) - a;
  const Vector p = cross(direction, to_c), q = cross(to_origin, to_b);
  const double turn = dot(to_b, p), scale = 1 / turn, t = dot(to_c, q) * scale, u = dot(to_origin, p) * scale,
               v = dot(direction, q) * scale;
  const double least = std::min({u, v, 1 - u - v, t - ray.t_min, ray.t_max - t});
  // Nearly along the plane, few digits of a float's distance are right.
  const bool is_grazing = !(turn * turn > 1e-3 * dot(direction, direction) * dot(to_b, to_b) * dot(to_c, to_c));
  const double margin = is_grazing ? 0.1 : 1e-3;
  if (least < -margin) return {Hit::no, t};
  return {least < margin || is_grazing ? Hit::maybe : Hit::yes, t};
}

double distance_from(const std::array<float, 3>& point, const TestTriangle& triangle) {
  // Of segments parallel to ab: their distance is a convex function of where they lie between ab and c.
  const Vector at(point), a(triangle[0]), b(triangle[1]), c(triangle[2]);
  const auto from_segment = [&](double up) {
    const Vector from = a + up * (c - a), along = (1 - up) * (b - a), to_point = at - from;
    const double length = dot(along, along), t = length > 0 ? std::clamp(dot(to_point, along) / length, 0.0, 1.0) : 0;
    const Vector away = to_point - t * along;
    return std::sqrt(dot(away, away));
  };
  double low = 0, high = 1;
  for (int i = 0; i < 80; ++i) {
    const double third = (high - low) / 3;
    if (from_segment(low + third) <= from_segment(high - third)) {
      high -= third;
    } else {
      low += third;
    }
  }
  return std::min({from_segment(0), from_segment(low), from_segment(1)});
}

Found is_near(const BvhPoint& point, const TestTriangle& triangle) {
  const double distance = distance_from(point.at, triangle), nearest = distance * distance;
  const double spare = point.squared_distance - nearest;
  return {spare >= 1e-3 ? Hit::yes : spare >= -1e-3 ? Hit::maybe : Hit::no, nearest};
}

std::vector<BvhRay> make_rays(const std::vector<TestBox>& boxes, std::mt19937_64& generator) {
  const auto unit = [&] { return float(generator() >> 40) * 0x1p-23f - 1; };
  const auto vector = [&](float scale) { return std::array{scale * unit(), scale * unit(), scale * unit()}; };
  std::vector<BvhRay> rays;
  for (int i = 0; i < 30; ++i) rays.push_back({vector(20), 0, vector(1), INFINITY});
  for (int i = 0; i < 30 && !boxes.empty(); ++i) {
    // From a box's corner, along an axis, a diagonal or anywhere; and to the corner from outside.
    const TestBox& box = boxes[generator() % boxes.size()];
    const float sign = generator() % 2 ? 1 : -1, range = generator() % 2 ? INFINITY : 2;
    std::array<float, 3> along{0, 0, 0}, away = vector(16);
    along[generator() % 3] = sign;
    rays.push_back({box.low, 0, along, range});
    rays.push_back({box.high, -range, {sign, 0.5f, 0.25f}, range});
    rays.push_back({box.high, 0.25f, vector(1), range});
    const std::array<float, 3> from{box.low[0] + away[0], box.low[1] + away[1], box.low[2] + away[2]};
    rays.push_back({from, 0, {-away[0], -away[1], -away[2]}, INFINITY});
  }
  for (const std::array<float, 3>& direction : std::vector<std::array<float, 3>>{
           {0, 0, 0}, {1e-35f, 1, 0}, {1, 1e31f, 1}, {nan, 1, 1}, {1, 1, INFINITY}, {1e-20f, 1e-20f, 2e-20f}}) {
    rays.push_back({{1, 1, 1}, 0, direction, INFINITY});
    rays.push_back({{-200, 1, 1}, 0, direction, INFINITY});
  }
  rays.push_back({{1, nan, 1}, 0, {1, 0, 0}, INFINITY});
  rays.push_back({{1, -INFINITY, 1}, 0, {0, 1, 0}, INFINITY});
  rays.push_back({{1, 1, 1}, nan, {1, 0, 0}, INFINITY});
  rays.push_back({{1, 1, 1}, 0, {1, 0, 0}, nan});
  rays.push_back({{1, 1, 1}, 2, {1, 0, 0}, 1});
  return rays;
}

std::vector<BvhPoint> make_points(const std::vector<TestBox>& boxes, std::mt19937_64& generator) {
  std::vector<BvhPoint> points{{{1, nan, 1}, INFINITY}, {{INFINITY, 1, 1}, INFINITY}, {{1, 1, 1}, nan},
                               {{1, 1, 1}, -1},         {{1, 1, 1}, INFINITY},        {{-40, 3, 3}, 2500}};
  for (const TestBox& box : make_boxes(BoxKind::scattered, 20, generator)) points.push_back({box.low, 4});
  for (size_t i = 0; i < std::min<size_t>(boxes.size(), 20); ++i) points.push_back({boxes[i].high, 0});
  return points;
}

TestBvh::TestBvh(const Device& device, Stream& stream, const std::vector<TestBox>& boxes, std::mt19937_64& generator)
    : TestBvh(device, stream, build_lbvh(boxes, centers_of(boxes), 63), generator) {}

TestBvh::TestBvh(const Device& device, Stream& stream, const TestLbvh& lbvh, std::mt19937_64& generator)
    : leaves(uint32_t(lbvh.indices.size())),
      built(lbvh),
      nodes(device, stream, built.nodes, generator),
      indices(device, stream, built.indices, generator, 4),
      leaf_parents(device, stream, built.leaf_parents, generator, 8),
      bounds(device, stream, std::vector{built.bounds}, generator, 4) {}

}  // namespace weft::test
