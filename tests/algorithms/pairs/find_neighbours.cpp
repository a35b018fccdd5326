#include <weft/find_neighbours.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/algorithms/reference/kd.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// Lists of neighbours are those of a search through all pairs of points.

namespace {

using Method = FindNeighbours::Method;
using Point = std::array<float, 3>;
constexpr Method neighbour_methods[] = {Method::uniform_grid, Method::bvh};

const char* method_name(Method method) { return method == Method::bvh ? "bvh" : "uniform grid"; }

/// Which take long for each candidate.
struct Lists {
  std::vector<uint64_t> offsets;
  std::vector<uint32_t> neighbours;  ///< Of a point in ascending order.

  void sort() {
    for (size_t i = 0; i + 1 < offsets.size(); ++i) {
      std::sort(neighbours.begin() + std::ptrdiff_t(offsets[i]), neighbours.begin() + std::ptrdiff_t(offsets[i + 1]));
    }
  }
};

using Where = std::function<bool(uint32_t, uint32_t)>;

Lists lists_of(const std::vector<Point>& points, float radius, const Where& where = {}) {
  Lists lists{{0}, {}};
  const volatile float squared_radius = radius * radius;
  for (uint32_t i = 0; i < points.size(); ++i) {
    for (uint32_t j = 0; j < points.size(); ++j) {
      if (i == j || !(squared_distance(points[i], points[j]) <= squared_radius)) continue;
      if (!where || where(i, j)) lists.neighbours.push_back(j);
    }
    lists.offsets.push_back(lists.neighbours.size());
  }
  return lists;
}

/// A plan and its temporary storage, which is filled once, and not cleared between runs.
class NeighbourFinder {
 public:
  explicit NeighbourFinder(const FindNeighbours& plan, const Device& device)
      : plan_(plan), temporary_(device.buffer<std::byte>(plan_.temporary_bytes())) {
    Stream stream = device.stream();
    stream.fill(temporary_, std::byte{0xA5});
    stream.synchronize();
  }
  NeighbourFinder(const Device& device, uint64_t most, Method method)
      : NeighbourFinder(plan_of(device, most, method), device) {}

  struct Found {
    uint64_t number;
    Lists lists;  ///< All neighbours that there is room for. Those that were not written are as they were.
  };
  template <typename P>
  Found find(Stream& stream, const std::vector<P>& points, float radius, uint64_t capacity, std::mt19937_64& generator,
             bool count_on_device = false) const {
    const Device device = stream.device();
    const Guarded<P> input(device, stream, points, generator, 4);
    const Guarded<uint64_t> offsets(device, stream, points.size() + 1, generator, 8);
    const Guarded<uint32_t> neighbours(device, stream, capacity, generator, 4);
    const Guarded<uint64_t> found(device, stream, 1, generator, 8);
    const Buffer<uint64_t> word = device.buffer<uint64_t>(1);
    stream.upload(word, std::vector<uint64_t>{points.size()});
    plan_.record(stream, {.points = input,
                          .offsets = offsets,
                          .neighbours = neighbours,
                          .found = found.view(),
                          .count = count_on_device ? Count(word) : Count(points.size()),
                          .radius = radius,
                          .temporary = temporary_});
    Found result{found.read(stream)[0], {offsets.read(stream), neighbours.read(stream)}};
    const std::vector<uint32_t> before = neighbours.poison();
    for (uint64_t i = result.number; i < capacity; ++i) CHECK_EQ(result.lists.neighbours[i], before[i]);
    return result;
  }

  /// Fails the running test unless exactly these neighbours are found, and twice in the same order.
  template <typename P>
  void check(Stream& stream, const std::vector<P>& points, float radius, const Lists& expected,
             std::mt19937_64& generator, bool count_on_device = false) const {
    const uint64_t number = expected.neighbours.size();
    Found found = find(stream, points, radius, number + 3, generator, count_on_device);
    REQUIRE_EQ(found.number, number);
    check_same(found.lists.offsets, expected.offsets, "offsets");
    REQUIRE(found.lists.offsets == expected.offsets);
    found.lists.neighbours.resize(number);
    const Found again = find(stream, points, radius, number, generator);
    check_same(again.lists.neighbours, found.lists.neighbours, "the neighbours found again");
    found.lists.sort();
    check_same(found.lists.neighbours, expected.neighbours, "neighbours");
  }
  void check(Stream& stream, const std::vector<Point>& points, float radius, std::mt19937_64& generator,
             bool count_on_device = false) const {
    INFO(points.size(), " points, radius ", radius);
    check(stream, points, radius, lists_of(points, radius), generator, count_on_device);
  }

 private:
  static FindNeighbours plan_of(const Device& device, uint64_t most, Method method) {
    return FindNeighbours(device, most, {.method = method});
  }

  FindNeighbours plan_;
  Buffer<std::byte> temporary_;
};

/// Devices may take denormals for zeros.
std::vector<Point> make_points(BoxKind kind, size_t count, std::mt19937_64& generator) {
  std::vector<Point> points;
  for (const TestBox& box : make_boxes(kind, count, generator)) {
    points.push_back(box.low);
    for (float& x : points.back()) x = std::fpclassify(x) == FP_SUBNORMAL ? 0 : x;
  }
  return points;
}

/// The distance of two of the points, which is that of a neighbour or misses it by a rounding error.
float distance_in(const std::vector<Point>& points, std::mt19937_64& generator) {
  if (points.empty()) return 1;
  const float squared = squared_distance(points[generator() % points.size()], points[generator() % points.size()]);
  return squared < 1e30f ? std::sqrt(squared) : 2;
}

void check_method(const Device& device, Method method) {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(method_name(method));
  const NeighbourFinder finder(device, 300, method);
  for (const BoxKind kind : all_box_kinds) {
    INFO("points: ", std::string(to_string(kind)));
    for (const size_t count : {runs_fibers(device) ? 120 : 300, 65, 2}) {
      const std::vector<Point> points = make_points(kind, count, generator);
      finder.check(stream, points, 0.25f * distance_in(points, generator), generator, count == 65);
      finder.check(stream, points, distance_in(points, generator), generator);
    }
    finder.check(stream, make_points(kind, 40, generator), 0, generator);
  }
  for (const size_t count : {3, 1, 0}) finder.check(stream, std::vector<Point>(count), 1, generator);
}

}  // namespace

DEVICE_TEST("neighbours by a uniform grid") { check_method(device, Method::uniform_grid); }
DEVICE_TEST("neighbours by a hierarchy") { check_method(device, Method::bvh); }

DEVICE_TEST("neighbours in cells that are folded, far away or many") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("cells");
  const size_t count = runs_fibers(device) ? 150 : 300;
  // Around the ends of folds; and where floats are farther apart than half a cell, one cell, and many.
  constexpr float centers[] = {0, 1024, 2048, -1024, -2048, 0x1p22f, -0x1p23f, 0x1p24f, 0x1p30f};
  // Scaled so that squares are zero, or nearly infinite.
  const NeighbourFinder grid(device, count, Method::uniform_grid);
  for (const float scale : {1.0f, 0.37f, 0x1p-110f, 0x1p50f}) {
    std::vector<Point> points(count);
    for (Point& point : points) {
      const float center = centers[generator() % std::size(centers)];
      for (float& x : point) x = (center + float(generator() % 4096) / 1024 - 2) * scale;
      if (generator() % 4 == 0) point[generator() % 3] *= 0.5f;
    }
    for (const float radius : {scale, 0.5f * scale, 300 * scale}) grid.check(stream, points, radius, generator);
  }
  // On a lattice, where many distances are the radius exactly.
  std::vector<Point> lattice(count);
  for (Point& point : lattice) {
    for (float& x : point) x = float(generator() % 8) - 4;
  }
  for (const float radius : {0.0f, 1.0f, 2.0f, 3.0f}) grid.check(stream, lattice, radius, generator);
}

DEVICE_TEST("neighbours without room are counted and dropped") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("capacities");
  const std::vector<Point> points = make_points(BoxKind::scattered, 100, generator);
  const float radius = 0.5f * distance_in(points, generator) + 1;
  const Lists expected = lists_of(points, radius);
  const uint64_t number = expected.neighbours.size();
  REQUIRE_GT(number, 10);
  for (const Method method : neighbour_methods) {
    const NeighbourFinder finder(device, points.size(), method);
    const std::vector<uint32_t> all = finder.find(stream, points, radius, number, generator).lists.neighbours;
    for (const uint64_t capacity : {uint64_t(0), uint64_t(1), number / 3, number - 1, number, number + 9}) {
      INFO(method_name(method), ", room for ", capacity, " of ", number);
      NeighbourFinder::Found found = finder.find(stream, points, radius, capacity, generator);
      CHECK_EQ(found.number, number);
      check_same(found.lists.offsets, expected.offsets, "offsets");
      found.lists.neighbours.resize(std::min(capacity, number));
      check_same(found.lists.neighbours, {all.begin(), all.begin() + std::ptrdiff_t(found.lists.neighbours.size())});
    }
  }
}

DEVICE_TEST("neighbours of many points") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("many neighbours");
  const size_t count = runs_fibers(device) ? 500 : computes_on_cpu(device) ? 2'000 : 20'000;
  std::vector<Point> points(count);
  const float side = std::cbrt(float(count));
  for (Point& point : points) {
    for (float& x : point) x = float(generator() % 65536) / 65536 * side;
  }
  for (const Method method : neighbour_methods)
    NeighbourFinder(device, count, method).check(stream, points, 1.25f, generator);
}

DEVICE_TEST("neighbours of particles of two kinds, each within its own radius") {
  struct Particle {
    uint32_t kind;
    float radius;
    Point at;
  };
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("particles");
  std::vector<Particle> particles(200);
  std::vector<Point> points;
  for (Particle& particle : particles) {
    for (float& x : particle.at) x = float(generator() % 10);
    particle.kind = uint32_t(generator() % 2);
    particle.radius = float(generator() % 4);
    points.push_back(particle.at);
  }
  const Element element =
      Element::structure<Particle>({{"kind", &Particle::kind}, {"radius", &Particle::radius}, {"at", &Particle::at}});
  const Lists expected = lists_of(points, 3, [&](uint32_t i, uint32_t j) {
    const Particle &a = particles[i], &b = particles[j];
    return squared_distance(a.at, b.at) <= a.radius * a.radius && a.kind <= b.kind && i % 3 != j % 5;
  });
  const Lists ascending =
      lists_of(points, 3, [&](uint32_t i, uint32_t j) { return points[i][0] <= points[j][0] && i != 7; });
  for (const Method method : neighbour_methods) {
    INFO(method_name(method));
    NeighbourFinder(FindNeighbours(device, 200, {.method = method, .where = "a.at.x <= b.at.x && i != 7u"}), device)
        .check(stream, points, 3, ascending, generator);
    const std::string where =
        "dot(a.at - b.at, a.at - b.at) <= a.radius * a.radius && a.kind <= b.kind && i % 3u != j % 5u";
    NeighbourFinder(FindNeighbours(device, element, "x.at", 200, {.method = method, .where = where}), device)
        .check(stream, particles, 3, expected, generator);
  }
  check_error(ErrorCode::compile_failed, {"FindNeighbours", "condition", "a.kin"},
              [&] { FindNeighbours(device, element, "x.at", 10, {.where = "a.kin == b.kind"}); });
  check_error(ErrorCode::compile_failed, {"FindNeighbours", "point", "x.where"},
              [&] { FindNeighbours(device, element, "x.where", 10, {}); });
}

DEVICE_TEST("a function finds neighbours") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("function");
  const std::vector<Point> points = make_points(BoxKind::clustered, 130, generator);
  const float radius = 0.25f * distance_in(points, generator);
  const Lists expected = lists_of(points, radius);
  const Buffer<Point> input = device.buffer<Point>(points.size());
  const Buffer<uint64_t> offsets = device.buffer<uint64_t>(points.size() + 1);
  const Buffer<uint32_t> neighbours = device.buffer<uint32_t>(expected.neighbours.size());
  stream.upload(input, points);
  CHECK_EQ(find_neighbours(stream, input, radius, offsets, {}), expected.neighbours.size());
  CHECK_EQ(find_neighbours(stream, input, radius, offsets, neighbours), expected.neighbours.size());
  Lists found{stream.download(offsets), stream.download(neighbours)};
  check_same(found.offsets, expected.offsets, "offsets");
  found.sort();
  check_same(found.neighbours, expected.neighbours, "neighbours");
}

DEVICE_TEST("plans for neighbours explain what is wrong") {
  Stream stream = device.stream();
  const auto invalid = [&](const std::vector<std::string>& words, const auto& call) {
    check_error(ErrorCode::invalid_argument, words, call);
  };
  invalid({"FindNeighbours", "536870913", "536870912"},
          [&] { FindNeighbours(device, FindNeighbours::max_points + 1); });
  const FindNeighbours plan(device, 10), large(device, 70'000);
  const Buffer<Point> points = device.buffer<Point>(11);
  const Buffer<uint64_t> offsets = device.buffer<uint64_t>(12), found = device.buffer<uint64_t>(1);
  const Buffer<uint32_t> neighbours = device.buffer<uint32_t>(10);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes()),
                          much = device.buffer<std::byte>(large.temporary_bytes());
  const FindNeighbours::Arguments good{points, offsets, neighbours, found, 10, 1, temporary};
  const auto fails = [&](const std::vector<std::string>& words, const auto& change) {
    FindNeighbours::Arguments arguments = good;
    change(arguments);
    invalid(words, [&] { plan.record(stream, arguments); });
  };
  fails({"'count'", "11", "10"}, [](auto& at) { at.count = 11; });
  fails({"'points'", "9"}, [&](auto& at) { at.points = points.part(0, 9); });
  fails({"'offsets'", "80 bytes", "88"}, [&](auto& at) { at.offsets = offsets.part(0, 10); });
  fails({"'offsets'"}, [&](auto& at) { at.offsets = Region{}; });
  fails({"'offsets'", "multiple of 8"}, [&](auto& at) { at.offsets = offsets.view().region().part(4, 88); });
  fails({"'neighbours'", "multiple of 4"}, [&](auto& at) { at.neighbours = neighbours.view().region().part(2, 36); });
  fails({"'found'", "8"}, [](auto& at) { at.found = Region{}; });
  fails({"'points'", "'neighbours'", "overlap"}, [&](auto& at) { at.neighbours = points; });
  fails({"'temporary'"}, [](auto& at) { at.temporary = {}; });
  for (const float radius : {-1.0f, 1e20f, std::numeric_limits<float>::quiet_NaN()}) {
    fails({"'radius'", "finite"}, [&](auto& at) { at.radius = radius; });
  }
  fails({"'radius' is 1e+20;"}, [](auto& at) { at.radius = 1e20f; });
  invalid({"'found'", "32 bits", "4899930000"}, [&] {
    large.record(stream, {points, offsets, neighbours, found.view().as<uint32_t>().part(0, 1), 10, 1, much});
  });
}
