#include "tests/algorithms/base/sizes.h"
#include "tests/algorithms/reference/bvh.h"
#include "tests/algorithms/trees/built_lbvh.h"

using namespace weft;
using namespace weft::test;

/// Lbvh::Builder::agglomerative: the trees are those of the host, valid, no deeper than promised, and better.

namespace {

constexpr Lbvh::Options options_of(uint32_t code_bits) {
  return {.code_bits = code_bits, .builder = Lbvh::Builder::agglomerative};
}

/// The number of nodes from the root to the deepest leaf.
uint32_t depth_of(const TestLbvh& lbvh) {
  uint32_t deepest = 0;
  for (uint32_t node : lbvh.leaf_parents) {
    uint32_t depth = 0;
    for (; node != tree::none; node = lbvh.nodes[node].parent) ++depth;
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

void check_merged_boxes(Stream& stream, const BuiltLbvh& plan, const std::vector<TestBox>& boxes, uint32_t code_bits,
                        std::mt19937_64& generator, bool count_on_device = false) {
  INFO("boxes: ", boxes.size());
  const TestLbvh built = plan.build(stream, boxes, generator, nullptr, count_on_device);
  check_lbvh(built, boxes, code_bits);
  check_equal(built, build_agglomerative(boxes, centers_of(boxes), code_bits));
}

void check_codes(const Device& device, uint32_t code_bits) {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("agglomerative hierarchy of " + std::to_string(code_bits));
  const BuiltLbvh plan(device, BvhPrimitive::boxes(), 3000, options_of(code_bits));
  for (const BoxKind kind : all_box_kinds) {
    INFO("kind: ", to_string(kind));
    for (const size_t count : {3000, 513, 128, 9, 3, 2, 1}) {
      check_merged_boxes(stream, plan, without_denormals(make_boxes(kind, count, generator)), code_bits, generator,
                         count == 513 || count == 1);
    }
  }
  check_merged_boxes(stream, plan, {}, code_bits, generator);
}

/// Rows of 110 boxes, each gap wider than all before it in its row. So each round merges the first two clusters of a
/// row alone.
std::vector<TestBox> growing_gaps(size_t rows) {
  std::vector<TestBox> boxes;
  for (size_t row = 0; row < rows; ++row) {
    const float across = float(row) * 0x1p118f;
    for (int i = 0; i < 110; ++i) {
      const float along = float(std::pow(2.1, i));
      boxes.push_back({{along, across, 0}, {along + 1, across + 1, 1}});
    }
  }
  return boxes;
}

/// Boxes around the triangles of a bumpy torus, small and large, and of a plane below it.
std::vector<TestBox> surfaces() {
  const auto torus = [](double s, double t) {
    const double a = 6.28318 * s, b = 6.28318 * t * t, r = 0.3 + 0.05 * std::sin(9 * a) * std::cos(5 * b);
    return std::array{float((1 + r * std::cos(b)) * std::cos(a)), float((1 + r * std::cos(b)) * std::sin(a)),
                      float(r * std::sin(b))};
  };
  const auto plane = [](double s, double t) { return std::array{float(9 * s - 4), float(9 * t - 4), -1.0f}; };
  std::vector<TestBox> boxes;
  const auto add = [&](int rows, int columns, const auto& at) {
    for (int i = 0; i < rows * columns; ++i) {
      const auto corner = [&](int row, int column) {
        const std::array<float, 3> x = at(double(i / columns + row) / rows, double(i % columns + column) / columns);
        return TestBox{x, x};
      };
      boxes.push_back(united(united(corner(0, 0), corner(1, 0)), corner(0, 1)));
      boxes.push_back(united(united(corner(1, 1), corner(1, 0)), corner(0, 1)));
    }
  };
  add(60, 40, torus);
  add(7, 9, plane);
  return boxes;
}

}  // namespace

DEVICE_TEST("agglomerative hierarchies with codes of 63 bits") { check_codes(device, 63); }
DEVICE_TEST("agglomerative hierarchies with codes of 30 bits") { check_codes(device, 30); }

DEVICE_TEST("agglomerative hierarchies of many boxes") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("large agglomerative hierarchies");
  const size_t count = runs_fibers(device) ? 8'200 : computes_on_cpu(device) ? 20'001 : (1 << 18) + 3;
  const BuiltLbvh plan(device, BvhPrimitive::boxes(), 2 * count, options_of(63));
  for (const BoxKind kind : {BoxKind::scattered, BoxKind::equal}) {
    INFO("kind: ", to_string(kind));
    check_merged_boxes(stream, plan, make_boxes(kind, count, generator), 63, generator);
  }
}

DEVICE_TEST("agglomerative hierarchies are no deeper than promised") {
  // Clusters that merge one by one reach the greatest height, here in several tiles. Then neighbours merge in pairs.
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("deep agglomerative hierarchies");
  for (const uint32_t code_bits : {30u, 63u}) {
    const BuiltLbvh plan(device, BvhPrimitive::boxes(), 550, options_of(code_bits));
    for (const size_t rows : {1, 5}) {
      const std::vector<TestBox> boxes = growing_gaps(rows);
      const TestLbvh built = plan.build(stream, boxes, generator);
      check_lbvh(built, boxes, code_bits);
      check_equal(built, build_agglomerative(boxes, centers_of(boxes), code_bits));
      CHECK_GE(depth_of(built), code_bits);
    }
  }
}

DEVICE_TEST("a refit of an agglomerative hierarchy changes only boxes") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("refits of agglomerative hierarchies");
  const BuiltLbvh plan(device, BvhPrimitive::boxes(), 700, options_of(63));
  const std::vector<TestBox> boxes = make_boxes(BoxKind::scattered, 700, generator),
                             moved = make_boxes(BoxKind::clustered, 700, generator);
  const TestLbvh built = plan.build(stream, boxes, generator);
  check_equal(plan.build(stream, boxes, generator, &boxes), built);
  TestLbvh refitted = plan.build(stream, boxes, generator, &moved);
  CHECK_LE(depth_of(refitted), depth_of(built));
  check_lbvh(refitted, moved, 63);
}

DEVICE_TEST("agglomerative hierarchies cost less than linear ones") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("costs of agglomerative hierarchies");
  const std::vector<TestBox> boxes = surfaces();
  const auto cost = [&](Lbvh::Builder builder) {
    const BuiltLbvh plan(device, BvhPrimitive::boxes(), boxes.size(), {.builder = builder});
    const Guarded<BvhNode> nodes(device, stream, plan.build(stream, boxes, generator).nodes, generator);
    return double(surface_area_cost(stream, nodes.view()));
  };
  const double linear = cost(Lbvh::Builder::two_passes), agglomerative = cost(Lbvh::Builder::agglomerative),
               binned = binned_cost(boxes), of_karras = cost_of(build_lbvh(boxes, centers_of(boxes), 63));
  INFO("linear ", linear, ", agglomerative ", agglomerative, ", binned on the host ", binned);
  CHECK_EQ(linear, doctest::Approx(of_karras).epsilon(0.01));
  CHECK_LT(agglomerative, 0.95 * linear);
  CHECK_LT(agglomerative, 1.15 * binned);
}
