#include <algorithm>
#include <cmath>

#include "tests/algorithms/reference/bvh.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// weft/thread/distance.glsl: squared distances of points from triangles of every shape.

namespace {

using Point = std::array<float, 3>;

struct Case {
  Point point;
  TestTriangle triangle;
};

constexpr const char* source = R"(#version 460
  layout(local_size_x = 64) in;
  #include "weft/thread/distance.glsl"
  struct Case { vec3 point, a, b, c; };
  layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Cases { Case at[]; };
  layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Floats { float at[]; };
  layout(push_constant, scalar) uniform Arguments {
    Cases cases;
    Floats distances;
    uint count, unused;
  } args;

  void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= args.count) return;
    Case x = args.cases.at[i];
    args.distances.at[i] = weft_squared_distance(x.point, x.a, x.b, x.c);
  })";

struct Block {
  Pointer<Case> cases;
  Pointer<float> distances;
  uint32_t count, unused;
};

Point mix(const Point& a, const Point& b, float t) {
  Point at;
  for (size_t axis = 0; axis < 3; ++axis) at[axis] = a[axis] + t * (b[axis] - a[axis]);
  return at;
}

double length(const Point& a, const Point& b) {
  return std::hypot(double(a[0]) - b[0], double(a[1]) - b[1], double(a[2]) - b[2]);
}

/// Triangles with a long side, from equilateral ones to needles of every height down to none, the third corner beside
/// the side, at its ends and beyond; along axes, so that low heights are exact, and in any direction; and triangles of
/// equal corners.
std::vector<TestTriangle> make_triangles(std::mt19937_64& generator) {
  const auto unit = [&] { return float(generator() >> 40) * 0x1p-23f - 1; };
  const auto vector = [&] { return Point{unit(), unit(), unit()}; };
  std::vector<TestTriangle> triangles;
  for (int power = 0; power <= 40; ++power) {
    const float height = power == 40 ? 0 : std::ldexp(1.5f + 0.5f * unit(), -power);
    for (const float t : {0.0f, 0.5f, 1.0f, 0.01f, 0.99f, -0.5f, 1.5f, 0.5f + unit()}) {
      triangles.push_back({{{0, 0, 0}, {1, 0, 0}, {t, height, 0}}});
      const Point a = vector(), b = vector(), c = mix(mix(a, b, t), vector(), height);
      triangles.push_back({{a, b, c}});
      triangles.push_back({{{0, 0, 0}, {height, 0, 0}, {t, 1, 0}}});  // A short side.
    }
  }
  for (int i = 0; i < 20; ++i) {
    const Point a = vector(), b = vector();
    triangles.insert(triangles.end(), {{{a, a, b}}, {{a, b, a}}, {{b, a, a}}, {{a, a, a}}});
    triangles.push_back({{a, b, mix(a, b, 0.5f)}});
  }
  triangles.push_back({{{0.0898751169f, 0.779523432f, 0.1419148f},
                        {0.845605552f, 0.301035196f, 0.89416343f},
                        {0.46774033f, 0.5402793f, 0.5180391f}}});
  return triangles;
}

/// Corners, points of sides and of the inside, the same moved a little or a lot, and others.
std::vector<Point> make_points(const TestTriangle& x, std::mt19937_64& generator) {
  const auto unit = [&] { return float(generator() >> 40) * 0x1p-23f - 1; };
  std::vector<Point> points(x.begin(), x.end());
  for (size_t k = 0; k < 3; ++k) points.push_back(mix(x[k], x[(k + 1) % 3], 0.5f + 0.5f * unit()));
  for (int i = 0; i < 3; ++i) points.push_back(mix(mix(x[0], x[1], 0.5f + 0.5f * unit()), x[2], 0.5f + 0.5f * unit()));
  for (size_t i = 0, count = points.size(); i < count; ++i) {
    Point at = points[i];
    const float by = std::ldexp(1.0f, -int(generator() % 24));
    for (float& coordinate : at) coordinate += by * unit();
    points.push_back(at);
  }
  points.push_back({3 * unit(), 3 * unit(), 3 * unit()});
  points.push_back({100 * unit(), 100 * unit(), 100 * unit()});
  return points;
}

std::vector<float> on_device(Stream& stream, const Kernel& kernel, const std::vector<Case>& cases,
                             std::mt19937_64& generator) {
  const Device device = stream.device();
  const Guarded<Case> input(device, stream, cases, generator, 4);
  const Guarded<float> distances(device, stream, cases.size(), generator, 4);
  const auto count = uint32_t(cases.size());
  stream.dispatch(kernel, {(count + 63) / 64}, Block{input.view().pointer(), distances.view().pointer(), count, 0});
  return distances.read(stream);
}

}  // namespace

DEVICE_TEST("distances from triangles of every shape") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("distances from triangles");
  const Kernel kernel = device.kernel_from_glsl(source);
  std::vector<Case> cases;
  for (const TestTriangle& triangle : make_triangles(generator)) {
    const float scale = std::ldexp(1.0f, int(generator() % 61) - 30);
    for (Point point : make_points(triangle, generator)) {
      TestTriangle x = triangle;
      for (float& coordinate : point) coordinate *= scale;
      for (Point& corner : x) {
        for (float& coordinate : corner) coordinate *= scale;
      }
      // From each corner, in both directions.
      for (size_t first = 0; first < 3; ++first) {
        cases.push_back({point, {{x[first], x[(first + 1) % 3], x[(first + 2) % 3]}}});
        cases.push_back({point, {{x[first], x[(first + 2) % 3], x[(first + 1) % 3]}}});
      }
    }
  }
  const std::vector<float> squared = on_device(stream, kernel, cases, generator);
  size_t wrong = 0, lost = 0;
  for (size_t i = 0; i < cases.size(); ++i) {
    const auto& [point, corners] = cases[i];
    double size = 0;
    for (size_t k = 0; k < 3; ++k) {
      size = std::max({size, length(point, corners[k]), length(corners[k], corners[(k + 1) % 3])});
    }
    const double error = std::abs(std::sqrt(double(squared[i])) - distance_from(point, corners));
    if (!(error <= 8 * 0x1p-24 * size) && ++wrong <= 3) {
      MESSAGE("squared distance ", squared[i], " instead of ", std::pow(distance_from(point, corners), 2), ", sizes ",
              length(corners[0], corners[1]), ", ", length(corners[1], corners[2]), ", ",
              length(corners[2], corners[0]));
    }
    lost += std::ranges::find(corners, point) != corners.end() && squared[i] != 0;
  }
  CHECK_EQ(wrong, 0);
  CHECK_EQ(lost, 0);
}
