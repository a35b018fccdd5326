#include <weft/find_pairs.h>

#include <algorithm>
#include <limits>

#include "algorithms/src/pairs/pairs_tuning.h"
#include "tests/algorithms/base/tuned.h"
#include "tests/algorithms/reference/pairs.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

namespace {

constexpr BroadPhase broad_phases[] = {BroadPhase::brute_force, BroadPhase::sort_and_sweep, BroadPhase::uniform_grid,
                                       BroadPhase::bvh};

/// Which take long for each candidate.
const char* method_name(BroadPhase method) {
  const char* const names[] = {"automatic", "brute force", "sort and sweep", "uniform grid", "bvh"};
  return names[size_t(method)];
}

/// A plan and its temporary storage, which is filled once, and not cleared between runs.
class PairFinder {
 public:
  PairFinder(const Device& device, const BvhPrimitive& primitive, uint64_t most, const FindPairs::Options& options)
      : plan_(device, primitive, most, options), temporary_(device.buffer<std::byte>(plan_.temporary_bytes())) {
    Stream stream = device.stream();
    stream.fill(temporary_, std::byte{0xA5});
    stream.synchronize();
  }

  struct Found {
    uint64_t number;
    std::vector<IndexPair> pairs;  ///< All that there is room for. Those that were not written are as they were.
  };
  template <typename P>
  Found find(Stream& stream, const std::vector<P>& primitives, uint64_t capacity, std::mt19937_64& generator,
             bool count_on_device = false) const {
    const Device device = stream.device();
    const Guarded<P> input(device, stream, primitives, generator, 4);
    const Guarded<IndexPair> pairs(device, stream, capacity, generator, 4);
    const Guarded<uint64_t> found(device, stream, 1, generator, 8);
    const Buffer<uint64_t> word = device.buffer<uint64_t>(1);
    stream.upload(word, std::vector<uint64_t>{primitives.size()});
    plan_.record(stream, {.primitives = input,
                          .pairs = pairs,
                          .found = found.view(),
                          .count = count_on_device ? Count(word) : Count(primitives.size()),
                          .temporary = temporary_});
    Found result{found.read(stream)[0], pairs.read(stream)};
    const std::vector<IndexPair> before = pairs.poison();
    for (uint64_t i = result.number; i < capacity; ++i) CHECK(result.pairs[i] == before[i]);
    return result;
  }

  /// Fails the running test unless exactly these pairs are found, in any order, and twice in the same.
  template <typename P>
  void check(Stream& stream, const std::vector<P>& primitives, const std::vector<IndexPair>& expected,
             std::mt19937_64& generator, bool count_on_device = false) const {
    Found found = find(stream, primitives, expected.size() + 3, generator, count_on_device);
    REQUIRE_EQ(found.number, expected.size());
    found.pairs.resize(expected.size());
    const std::vector<IndexPair> again = find(stream, primitives, expected.size(), generator).pairs;
    check_same(again, found.pairs, "the pairs found again");
    std::ranges::sort(found.pairs);
    check_same(found.pairs, expected, "the pairs");
  }

 private:
  FindPairs plan_;
  Buffer<std::byte> temporary_;
};

void check_method(const Device& device, BroadPhase method) {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(method_name(method));
  const PairFinder finder(device, BvhPrimitive::boxes(), 300, {.method = method});
  for (const size_t count : {runs_fibers(device) ? 100 : 300, 65, 3, 2, 1, 0}) {
    for (const PairScene& scene : pair_scenes(count, generator)) {
      INFO(count, " boxes, ", scene.name);
      finder.check(stream, scene.boxes, pairs_of(scene.boxes), generator, count == 65);
    }
  }
}

}  // namespace

DEVICE_TEST("pairs by brute force") { check_method(device, BroadPhase::brute_force); }
DEVICE_TEST("pairs by sort and sweep") { check_method(device, BroadPhase::sort_and_sweep); }
DEVICE_TEST("pairs by a uniform grid") { check_method(device, BroadPhase::uniform_grid); }
DEVICE_TEST("pairs by a hierarchy") { check_method(device, BroadPhase::bvh); }

DEVICE_TEST("pairs by grids of any cells, folded or far too large") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("cells");
  std::vector<TestBox> boxes = make_boxes(BoxKind::scattered, 300, generator);
  // Close together; clusters on both sides of folds, and so far away that cells are smaller than the distance between
  // floats.
  for (TestBox& box : boxes) {
    for (size_t axis = 0; axis < 3; ++axis) {
      const float shift = -0.75f * box.low[axis];
      for (float* x : {&box.low[axis], &box.high[axis]}) *x += shift;
    }
  }
  for (size_t i = 0; i < 120; ++i) {
    constexpr float shifts[] = {-1.25f, 1024 * 0.25f - 1.25f, 1024 * 0.5f - 1.25f, 3e7f};
    const float shift = shifts[i % 4];
    for (float* x : {&boxes[i].low[i / 4 % 2], &boxes[i].high[i / 4 % 2]}) *x += shift;
  }
  // In the last cell along each axis, for cells of 0.25 and of 0.5, all of one overlap.
  for (size_t i = 120; i < 150; ++i) {
    const size_t axis = i % 3;
    const float low[] = {1024 * 0.25f - 0.1f, 1024 * 0.5f - 0.1f};
    boxes[i] = {{1, 1, 1}, {1.1f, 1.1f, 1.1f}};
    boxes[i].low[axis] = low[i % 2];
    boxes[i].high[axis] = low[i % 2] + 0.2f;
  }
  const std::vector<IndexPair> expected = pairs_of(boxes);
  for (const float size : {0.02f, 0.25f, 0.5f, 1e-30f, 1e30f}) {
    INFO("cells of ", size);
    const PairFinder finder(device, BvhPrimitive::boxes(), 300,
                            {.method = BroadPhase::uniform_grid, .cell_size = size});
    finder.check(stream, boxes, expected, generator);
  }
  // Points, some of them equal, have no edges to go by.
  for (TestBox& box : boxes) box.high = box.low;
  for (size_t i = 100; i < 150; ++i) boxes[i] = boxes[i - 100];
  const PairFinder finder(device, BvhPrimitive::boxes(), 300, {.method = BroadPhase::uniform_grid});
  finder.check(stream, boxes, pairs_of(boxes), generator);
}

DEVICE_TEST("pairs without room are counted and dropped") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("capacities");
  const std::vector<TestBox> boxes = make_boxes(BoxKind::clustered, 150, generator);
  const uint64_t expected = pairs_of(boxes).size();
  for (const BroadPhase method : broad_phases) {
    const PairFinder finder(device, BvhPrimitive::boxes(), boxes.size(), {.method = method});
    const std::vector<IndexPair> all = finder.find(stream, boxes, expected, generator).pairs;
    for (const uint64_t capacity : {uint64_t(0), uint64_t(1), expected / 3, expected - 1, expected, expected + 9}) {
      INFO(method_name(method), ", room for ", capacity, " of ", expected);
      PairFinder::Found found = finder.find(stream, boxes, capacity, generator);
      CHECK_EQ(found.number, expected);
      found.pairs.resize(std::min(capacity, expected));
      check_same(found.pairs, {all.begin(), all.begin() + std::ptrdiff_t(found.pairs.size())});
    }
  }
}

DEVICE_TEST("pairs around the sizes of tiles, with few workgroups") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("tiles");
  for (const uint32_t groups : {1, 3}) {
    const algorithms::PairsTuning values{{.workgroup = 64, .bytes_per_invocation = 8}, groups};
    const Tuning tuning({tuned(algorithms::tuned_pairs, 4, values)});
    for (const BroadPhase method : broad_phases) {
      if (method == BroadPhase::bvh) continue;
      const PairFinder finder(device, BvhPrimitive::boxes(), 70, {.method = method, .tuning = tuning});
      // Boxes that all overlap have 120 and 136, 496 and 528, 2016 and 2080 pairs: around whole tiles.
      for (const size_t count : {16, 17, 32, 33, 64, 65}) {
        INFO(method_name(method), ", ", groups, " workgroups, ", count, " boxes");
        const std::vector<TestBox> boxes = make_boxes(BoxKind::equal, count, generator);
        finder.check(stream, boxes, pairs_of(boxes), generator);
      }
    }
  }
}

DEVICE_TEST("pairs are in the order of their candidates") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("order of pairs");
  std::vector<TestBox> boxes = make_boxes(BoxKind::scattered, 200, generator);
  for (TestBox& box : boxes) {
    for (float* x : {&box.low[1], &box.high[1]}) *x = 10 * *x + 7;
  }
  const auto found_by = [&](BroadPhase method, float cell_size = 0) {
    const PairFinder finder(device, BvhPrimitive::boxes(), 200, {.method = method, .cell_size = cell_size});
    return finder.find(stream, boxes, pairs_of(boxes).size(), generator).pairs;
  };
  check_same(found_by(BroadPhase::brute_force), pairs_by_brute_force(boxes));
  check_same(found_by(BroadPhase::sort_and_sweep), pairs_in_order(boxes, order_along(boxes, 1)));
  check_same(found_by(BroadPhase::uniform_grid, 1000), pairs_of(boxes));  // All in one cell.
}

DEVICE_TEST("plans whose candidates need 64 bits find the same pairs") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("wide candidates");
  const std::vector<TestBox> boxes = make_boxes(BoxKind::unusual, 300, generator);
  for (const BroadPhase method : broad_phases) {
    if (method == BroadPhase::brute_force) continue;
    INFO(method_name(method));
    const PairFinder finder(device, BvhPrimitive::boxes(), 100'000, {.method = method});
    finder.check(stream, boxes, pairs_of(boxes), generator, true);
  }
}

DEVICE_TEST("pairs of many boxes") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("many pairs");
  const size_t count = runs_fibers(device) ? 500 : computes_on_cpu(device) ? 2'000 : 20'000;
  const std::vector<TestBox> boxes = make_boxes(BoxKind::scattered, count, generator);
  const std::vector<IndexPair> expected = pairs_of(boxes);
  for (const BroadPhase method : broad_phases) {
    INFO(method_name(method));
    PairFinder(device, BvhPrimitive::boxes(), count, {.method = method}).check(stream, boxes, expected, generator);
  }
}

DEVICE_TEST("pairs of a user's primitives, and of triangles") {
  struct Sphere {
    float radius;
    std::array<float, 3> at;
  };
  using Triangle = std::array<std::array<float, 3>, 3>;
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("spheres");
  std::vector<Sphere> spheres;
  std::vector<Triangle> triangles;
  std::vector<TestBox> boxes, of_triangles;
  for (int i = 0; i < 200; ++i) {
    const std::array<float, 3> at{float(generator() % 30), float(generator() % 30), float(generator() % 30)};
    spheres.push_back({float(generator() % 3), at});
    boxes.push_back({at, at});
    for (float& x : boxes.back().low) x -= spheres.back().radius;
    for (float& x : boxes.back().high) x += spheres.back().radius;
    triangles.push_back({at, boxes.back().low, {at[0] + 1, at[1], at[2]}});
    const auto& [a, b, c] = triangles.back();
    of_triangles.push_back(united(united({a, a}, {b, b}), {c, c}));
  }
  const Element sphere = Element::structure<Sphere>({{"radius", &Sphere::radius}, {"at", &Sphere::at}});
  const BvhPrimitive primitive = BvhPrimitive::of(sphere, "x.at - x.radius", "x.at + x.radius");
  PairFinder(device, primitive, 200, {}).check(stream, spheres, pairs_of(boxes), generator);
  PairFinder(device, BvhPrimitive::triangles(), 200, {}).check(stream, triangles, pairs_of(of_triangles), generator);
}

DEVICE_TEST("neighbours within a radius, of two kinds") {
  struct Particle {
    std::array<float, 3> at;  // whole numbers, whose distances are exact
    uint32_t kind;
  };
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("neighbours");
  std::vector<Particle> particles(400);
  for (Particle& particle : particles) {
    for (float& x : particle.at) x = float(generator() % 20);
    particle.kind = uint32_t(generator() % 2);
  }
  std::vector<IndexPair> expected;
  for (uint32_t i = 0; i < particles.size(); ++i) {
    for (uint32_t j = i + 1; j < particles.size(); ++j) {
      const Particle &a = particles[i], &b = particles[j];
      float squared = 0;
      for (size_t axis = 0; axis < 3; ++axis) squared += (a.at[axis] - b.at[axis]) * (a.at[axis] - b.at[axis]);
      if (squared <= 9 && a.kind <= b.kind && i % 3 != j % 5) expected.push_back({i, j});
    }
  }
  const Element particle = Element::structure<Particle>({{"at", &Particle::at}, {"kind", &Particle::kind}});
  const BvhPrimitive around = BvhPrimitive::of(particle, "x.at - 1.5", "x.at + 1.5");
  for (const BroadPhase method : {BroadPhase::brute_force, BroadPhase::uniform_grid, BroadPhase::bvh}) {
    INFO(method_name(method));
    const FindPairs::Options options{
        .method = method, .where = "dot(a.at - b.at, a.at - b.at) <= 9.0 && a.kind <= b.kind && i % 3u != j % 5u"};
    PairFinder(device, around, particles.size(), options).check(stream, particles, expected, generator);
    // Of more boxes, candidates have 64-bit indices.
    if (method != BroadPhase::brute_force) {
      PairFinder(device, around, 1 << 17, options).check(stream, particles, expected, generator);
    }
  }
  check_error(ErrorCode::compile_failed, {"FindPairs", "condition", "a.kin"},
              [&] { FindPairs(device, around, 10, {.where = "a.kin == b.kind"}); });
}

DEVICE_TEST("a function finds pairs") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("function");
  const std::vector<TestBox> boxes = make_boxes(BoxKind::scattered, 1500, generator);
  const std::vector<IndexPair> expected = pairs_of(boxes);
  const Buffer<TestBox> input = device.buffer<TestBox>(boxes.size());
  const Buffer<IndexPair> pairs = device.buffer<IndexPair>(expected.size());
  stream.upload(input, boxes);
  for (const BroadPhase method : {BroadPhase::automatic, BroadPhase::brute_force}) {
    CHECK_EQ(find_pairs(stream, BvhPrimitive::boxes(), input, {}, method), expected.size());
    CHECK_EQ(find_pairs(stream, BvhPrimitive::boxes(), input, pairs.view(), method), expected.size());
    std::vector<IndexPair> found = stream.download(pairs);
    std::ranges::sort(found);
    check_same(found, expected);
  }
}

DEVICE_TEST("plans for pairs choose their method and explain what is wrong") {
  Stream stream = device.stream();
  const BvhPrimitive box = BvhPrimitive::boxes();
  const Tuning few({tuned(algorithms::tuned_pairs, 4, algorithms::PairsTuning{.few = 50, .grid = 60})});
  CHECK(FindPairs(device, box, 50, {.tuning = few}).method() == BroadPhase::brute_force);
  CHECK(FindPairs(device, box, 51, {.tuning = few}).method() == BroadPhase::uniform_grid);
  CHECK(FindPairs(device, box, 60, {.tuning = few}).method() == BroadPhase::uniform_grid);
  CHECK(FindPairs(device, box, 61, {.tuning = few}).method() == BroadPhase::bvh);
  const bool is_cpu = device.info().kind == DeviceKind::cpu;
  CHECK(FindPairs(device, box, 12'486).method() == (is_cpu ? BroadPhase::bvh : BroadPhase::uniform_grid));
  const auto invalid = [&](const std::vector<std::string>& words, const auto& call) {
    check_error(ErrorCode::invalid_argument, words, call);
  };
  invalid({"FindPairs", "536870913", "536870912"}, [&] { FindPairs(device, box, FindPairs::max_boxes + 1); });
  invalid({"FindPairs", "65537", "brute force", "65536"},
          [&] { FindPairs(device, box, FindPairs::max_by_brute_force + 1, {.method = BroadPhase::brute_force}); });
  for (const float size : {-1.0f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    invalid({"FindPairs", "'cell_size'", "positive"},
            [&] { FindPairs(device, box, 10, {.method = BroadPhase::uniform_grid, .cell_size = size}); });
  }
  check_error(ErrorCode::compile_failed, {"FindPairs", "low corner", "x.lowest"},
              [&] { FindPairs(device, {box.element, "x.lowest", "x.high", "x.low"}, 10); });
  const FindPairs plan(device, box, 10), large(device, box, 100'000);
  const Buffer<TestBox> boxes = device.buffer<TestBox>(11);
  const Buffer<IndexPair> pairs = device.buffer<IndexPair>(10);
  const Buffer<uint64_t> found = device.buffer<uint64_t>(1);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes()),
                          much = device.buffer<std::byte>(large.temporary_bytes());
  const FindPairs::Arguments good{boxes, pairs, found, 10, temporary};
  const auto fails = [&](const std::vector<std::string>& words, const auto& change) {
    FindPairs::Arguments arguments = good;
    change(arguments);
    invalid(words, [&] { plan.record(stream, arguments); });
  };
  fails({"'count'", "11", "10"}, [](auto& at) { at.count = 11; });
  fails({"'primitives'", "9"}, [&](auto& at) { at.primitives = boxes.part(0, 9); });
  fails({"'pairs'", "multiple of 4"}, [&](auto& at) { at.pairs = pairs.view().region().part(2, 70); });
  fails({"'found'", "8"}, [](auto& at) { at.found = Region{}; });
  fails({"'primitives'", "'pairs'", "overlap"}, [&](auto& at) { at.pairs = boxes; });
  fails({"'temporary'"}, [](auto& at) { at.temporary = {}; });
  invalid({"'found'", "32 bits", "4999950000"},
          [&] { large.record(stream, {boxes, pairs, found.view().as<uint32_t>().part(0, 1), 10, much}); });
}
