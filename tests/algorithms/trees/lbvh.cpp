#include <weft/lbvh.h>

#include <weft/glsl.h>

#include "tests/algorithms/base/sizes.h"
#include "tests/algorithms/trees/built_lbvh.h"

using namespace weft;
using namespace weft::test;

namespace {

constexpr Lbvh::Builder builders[] = {Lbvh::Builder::one_pass, Lbvh::Builder::two_passes};

void check_boxes(Stream& stream, const BuiltLbvh& plan, const std::vector<TestBox>& boxes, uint32_t code_bits,
                 std::mt19937_64& generator, bool count_on_device = false) {
  INFO("boxes: ", boxes.size());
  const TestLbvh built = plan.build(stream, boxes, generator, nullptr, count_on_device);
  check_lbvh(built, boxes, code_bits);
  check_equal(built, build_lbvh(boxes, centers_of(boxes), code_bits));
}

void check_builder(const Device& device, Lbvh::Builder builder, uint32_t code_bits) {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("hierarchy of " + std::to_string(code_bits));
  const BuiltLbvh plan(device, BvhPrimitive::boxes(), 3000, {.code_bits = code_bits, .builder = builder});
  for (const BoxKind kind : all_box_kinds) {
    INFO("kind: ", to_string(kind));
    for (const size_t count : {3000, 257, 9, 3, 2, 1}) {
      check_boxes(stream, plan, make_boxes(kind, count, generator), code_bits, generator, count == 257);
    }
  }
  check_boxes(stream, plan, {}, code_bits, generator);
}

}  // namespace

DEVICE_TEST("hierarchies in one pass with codes of 63 bits") { check_builder(device, Lbvh::Builder::one_pass, 63); }
DEVICE_TEST("hierarchies in one pass with codes of 30 bits") { check_builder(device, Lbvh::Builder::one_pass, 30); }
DEVICE_TEST("hierarchies in two passes with codes of 63 bits") { check_builder(device, Lbvh::Builder::two_passes, 63); }
DEVICE_TEST("hierarchies in two passes with codes of 30 bits") { check_builder(device, Lbvh::Builder::two_passes, 30); }

DEVICE_TEST("hierarchies of many boxes, equal ones among them") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("large hierarchies");
  const size_t count = runs_fibers(device) ? 8'009 : computes_on_cpu(device) ? 70'001 : (1 << 24) + 3;
  for (const Lbvh::Builder builder : builders) {
    const BuiltLbvh plan(device, BvhPrimitive::boxes(), count, {.code_bits = 30, .builder = builder});
    for (const BoxKind kind : {BoxKind::clustered, BoxKind::equal}) {
      INFO("kind: ", to_string(kind));
      const std::vector<TestBox> boxes = make_boxes(kind, count, generator);
      check_equal(plan.build(stream, boxes, generator), build_lbvh(boxes, centers_of(boxes), 30));
    }
  }
}

DEVICE_TEST("a refit of unchanged boxes changes nothing, and one of moved boxes only boxes") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("refits");
  const BuiltLbvh plan(device, BvhPrimitive::boxes(), 2000, {});
  for (const BoxKind kind : {BoxKind::scattered, BoxKind::unusual}) {
    for (const size_t count : {2000, 2, 1, 0}) {
      const std::vector<TestBox> boxes = make_boxes(kind, count, generator), moved = make_boxes(kind, count, generator);
      const TestLbvh built = plan.build(stream, boxes, generator);
      check_equal(plan.build(stream, boxes, generator, &boxes), built);
      TestLbvh refitted = plan.build(stream, boxes, generator, &moved);
      check_lbvh(refitted, moved, 63);
      refitted.bounds = built.bounds;
      for (size_t i = 0; i < built.nodes.size(); ++i) {
        std::ranges::copy(built.nodes[i].boxes, refitted.nodes[i].boxes);
      }
      check_equal(refitted, built);
    }
  }
}

DEVICE_TEST("hierarchies of triangles") {
  using Triangle = std::array<std::array<float, 3>, 3>;
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("triangles");
  for (const BoxKind kind : {BoxKind::scattered, BoxKind::unusual}) {
    const std::vector<TestBox> corners = make_boxes(kind, 3000, generator);
    std::vector<Triangle> triangles;
    std::vector<TestBox> boxes;
    std::vector<std::array<float, 3>> centers;
    for (size_t i = 0; i < 1000; ++i) {
      triangles.push_back({corners[3 * i].low, corners[3 * i + 1].low, corners[3 * i + 2].high});
      const auto& [a, b, c] = triangles.back();
      boxes.push_back(united(united({a, a}, {b, b}), {c, c}));
      std::array<float, 3> center;
      for (size_t axis = 0; axis < 3; ++axis) {
        const auto smaller = [](float x, float y) { return unsigned_order_bits(y) < unsigned_order_bits(x) ? y : x; };
        const auto larger = [](float x, float y) { return unsigned_order_bits(x) < unsigned_order_bits(y) ? y : x; };
        center[axis] =
            0.5f * smaller(smaller(a[axis], b[axis]), c[axis]) + 0.5f * larger(larger(a[axis], b[axis]), c[axis]);
      }
      centers.push_back(center);
    }
    const BuiltLbvh plan(device, BvhPrimitive::triangles(), 1000, {});
    check_equal(plan.build(stream, triangles, generator), build_lbvh(boxes, centers, 63));
  }
}

DEVICE_TEST("hierarchies of a user's primitives") {
  struct Sphere {
    float radius;
    std::array<float, 3> at;
  };
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("spheres");
  std::vector<Sphere> spheres;
  std::vector<TestBox> boxes;
  for (int i = 0; i < 500; ++i) {
    const std::array<float, 3> at{float(generator() % 100), float(generator() % 100), float(generator() % 100)};
    spheres.push_back({float(generator() % 5), at});
    boxes.push_back({at, at});
    for (float& x : boxes.back().low) x -= spheres.back().radius;
    for (float& x : boxes.back().high) x += spheres.back().radius;
  }
  const Element sphere = Element::structure<Sphere>({{"radius", &Sphere::radius}, {"at", &Sphere::at}});
  const BuiltLbvh plan(device, BvhPrimitive::of(sphere, "x.at - x.radius", "x.at + x.radius"), 500, {.code_bits = 30});
  check_equal(plan.build(stream, spheres, generator), build_lbvh(boxes, centers_of(boxes), 30));
}

DEVICE_TEST("the surface-area cost of a hierarchy is that of the CPU's") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("costs");
  for (const size_t count : {1, 2, 5000}) {
    INFO("boxes: ", count);
    const std::vector<TestBox> boxes = make_boxes(BoxKind::scattered, count, generator);
    const BuiltLbvh plan(device, BvhPrimitive::boxes(), count, {});
    const TestLbvh built = plan.build(stream, boxes, generator);
    const Guarded<BvhNode> nodes(device, stream, built.nodes, generator);
    const double expected = cost_of(build_lbvh(boxes, centers_of(boxes), 63));
    CHECK_EQ(surface_area_cost(stream, nodes.view()), doctest::Approx(expected).epsilon(1e-4));
    const float of_leaves = surface_area_cost(stream, nodes.view(), {.node = 0, .leaf = 1}),
                of_nodes = surface_area_cost(stream, nodes.view(), {.node = 1, .leaf = 0});
    CHECK_EQ(of_leaves + of_nodes, doctest::Approx(expected).epsilon(1e-4));
  }
}

DEVICE_TEST("values of a hierarchy's nodes by a tree reduction") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("numbers of leaves");
  const std::vector<TestBox> boxes = make_boxes(BoxKind::clustered, 1000, generator);
  const TestLbvh built = BuiltLbvh(device, BvhPrimitive::boxes(), 1000, {}).build(stream, boxes, generator);
  const Guarded<BvhNode> nodes(device, stream, built.nodes, generator);
  const Guarded<uint32_t> leaf_parents(device, stream, built.leaf_parents, generator),
      counts(device, stream, 999, generator);
  TreeReduction reduction = TreeReduction::counts();
  reduction.options.record_words = sizeof(BvhNode) / 4;
  reduction.options.first_child = offsetof(BvhNode, children) / 4;
  reduction.options.parent = offsetof(BvhNode, parent) / 4;
  const TreeReduce plan(device, reduction.element, reduction.op, 1000, 999, reduction.options);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  plan.record(stream, {{}, nodes, nodes, leaf_parents, counts, 1000, 999, temporary});
  std::vector<uint32_t> expected;
  for (uint32_t i = 0; i < 999; ++i)
    expected.push_back(std::max(i, built.nodes[i].end) - std::min(i, built.nodes[i].end) + 1);
  check_same(counts.read(stream), expected);
}

DEVICE_TEST("a user's kernel traverses a hierarchy") {
  // Each invocation lists the boxes that its own box touches: the sum of their indices and their number.
  constexpr const char* source = R"(#version 460
    layout(local_size_x = 64) in;
    #extension GL_EXT_buffer_reference : require
    #extension GL_EXT_scalar_block_layout : require
    #include "weft/device/tree_up.glsl"
    #include "weft/thread/bvh_node.glsl"
    layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint at[]; };
    layout(push_constant, scalar) uniform Arguments {
      uvec2 boxes, nodes;
      Words indices, found;
      uint count;
    } args;

    bool touch(WeftBox a, WeftBox b) {
      return all(lessThanEqual(a.low, b.high)) && all(lessThanEqual(b.low, a.high));
    }

    void main() {
      uint i = gl_GlobalInvocationID.x;
      if (i >= args.count) return;
      WeftBox own = weft_load_box(args.boxes, 6u * i);
      uint stack[96], top = 1u, sum = 0u, number = 0u;
      stack[0] = 0u;
      while (top > 0u) {
        uint node = stack[--top];
        for (uint k = 0u; k < 2u; ++k) {
          if (!touch(own, weft_node_box(args.nodes, node, k))) continue;
          uint child = weft_node_word(args.nodes, node, weft_node_child + k);
          if (weft_is_leaf(child)) {
            sum += args.indices.at[weft_leaf_index(child)];
            ++number;
          } else {
            stack[top++] = child;
          }
        }
      }
      args.found.at[2u * i] = sum;
      args.found.at[2u * i + 1u] = number;
    })";
  struct Block {
    Pointer<TestBox> boxes;
    Pointer<BvhNode> nodes;
    Pointer<uint32_t> indices, found;
    uint32_t count, unused = 0;
  };
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("traversal");
  const std::vector<TestBox> boxes = make_boxes(BoxKind::clustered, 1000, generator);
  const TestLbvh built = BuiltLbvh(device, BvhPrimitive::boxes(), 1000, {}).build(stream, boxes, generator);
  const Guarded<TestBox> input(device, stream, boxes, generator);
  const Guarded<BvhNode> nodes(device, stream, built.nodes, generator);
  const Guarded<uint32_t> indices(device, stream, built.indices, generator), found(device, stream, 2000, generator);
  stream.dispatch(
      device.kernel_from_glsl(source), {16},
      Block{input.view().pointer(), nodes.view().pointer(), indices.view().pointer(), found.view().pointer(), 1000});
  std::vector<uint32_t> expected;
  for (const TestBox& own : boxes) {
    uint32_t sum = 0, number = 0;
    for (uint32_t i = 0; i < 1000; ++i) {
      bool touch = true;
      for (size_t axis = 0; axis < 3; ++axis) {
        touch = touch && own.low[axis] <= boxes[i].high[axis] && boxes[i].low[axis] <= own.high[axis];
      }
      if (touch) sum += i, ++number;
    }
    expected.insert(expected.end(), {sum, number});
  }
  check_same(found.read(stream), expected);
}

DEVICE_TEST("hierarchies explain what is wrong") {
  Stream stream = device.stream();
  const BvhPrimitive box = BvhPrimitive::boxes();
  const auto invalid = [&](const std::vector<std::string>& words, const auto& call) {
    check_error(ErrorCode::invalid_argument, words, call);
  };
  invalid({"Lbvh", "536870913", "536870912"}, [&] { Lbvh(device, box, Lbvh::max_primitives + 1); });
  invalid({"Lbvh", "'code_bits' is 64"}, [&] { Lbvh(device, box, 10, {.code_bits = 64}); });
  check_error(ErrorCode::compile_failed, {"Lbvh", "low corner", "x.lowest"},
              [&] { Lbvh(device, {box.element, "x.lowest", "x.high", "x.low"}, 10); });
  check_error(ErrorCode::compile_failed, {"Morton", "point", "x.middle"},
              [&] { Lbvh(device, {box.element, "x.low", "x.high", "x.middle"}, 10); });
  check_error(ErrorCode::compile_failed, {"Lbvh", "low corner", "x.lowest"},
              [&] { Lbvh(device, BvhPrimitive::of(box.element, "x.lowest", "x.high"), 10); });
  const Lbvh plan(device, box, 10);
  const Buffer<TestBox> boxes = device.buffer<TestBox>(11), bounds = device.buffer<TestBox>(1);
  const Buffer<BvhNode> nodes = device.buffer<BvhNode>(10);
  const Buffer<uint32_t> indices = device.buffer<uint32_t>(10), leaf_parents = device.buffer<uint32_t>(10);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const Lbvh::Arguments good{boxes, nodes, indices, leaf_parents, bounds, 10, temporary};
  const auto fails = [&](const std::vector<std::string>& words, const auto& change) {
    Lbvh::Arguments arguments = good;
    change(arguments);
    invalid(words, [&] { plan.record(stream, arguments); });
    invalid(words, [&] { plan.record_refit(stream, arguments); });
  };
  fails({"'count'", "11", "10"}, [](auto& at) { at.count = 11; });
  fails({"'primitives'", "9"}, [&](auto& at) { at.primitives = boxes.part(0, 9); });
  fails({"'nodes'", "512", "576"}, [&](auto& at) { at.nodes = nodes.part(0, 8); });
  fails({"'nodes'", "multiple of 16"}, [&](auto& at) { at.nodes = nodes.view().region().part(4, 600); });
  fails({"'indices'", "9"}, [&](auto& at) { at.indices = indices.part(0, 9); });
  fails({"'leaf_parents'", "9"}, [&](auto& at) { at.leaf_parents = leaf_parents.part(0, 9); });
  fails({"'bounds'", "24"}, [&](auto& at) { at.bounds = bounds.view().region().part(0, 20); });
  fails({"'indices'", "'leaf_parents'", "overlap"}, [&](auto& at) { at.leaf_parents = indices; });
  fails({"'temporary'"}, [&](auto& at) { at.temporary = {}; });
}
