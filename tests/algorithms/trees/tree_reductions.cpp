#include <weft/glsl.h>
#include <weft/tree_reduce.h>

#include "tests/algorithms/base/sizes.h"
#include "tests/algorithms/reference/boxes.h"
#include "tests/algorithms/reference/trees.h"

using namespace weft;
using namespace weft::test;

namespace {

struct BoxAndArea {
  TestBox box;
  float area;
};

/// The values of the inner nodes of a tree whose nodes have 2 children at most.
template <typename T, typename Leaf>
std::vector<T> reduce_tree(Stream& stream, const Element& element, const Operator& op,
                           const TreeReduce::Options& options, const TestTree& tree, const std::vector<Leaf>& leaves,
                           std::mt19937_64& generator) {
  const Device device = stream.device();
  const TreeReduce plan(device, element, op, tree.leaves, tree.inner(), options);
  const Guarded<Leaf> values(device, stream, leaves, generator);
  const Guarded<uint32_t> children(device, stream, tree.links(options.arity, generator), generator);
  const Guarded<T> output(device, stream, tree.inner(), generator);
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  plan.record(stream, {.leaves = values,
                       .children = children,
                       .parents = {},
                       .leaf_parents = {},
                       .output = output,
                       .count = tree.leaves,
                       .inner_count = tree.inner(),
                       .temporary = temporary});
  return output.read(stream);
}

template <typename T, typename Leaf>
std::vector<T> reduce_tree(Stream& stream, const TreeReduction& reduction, const TestTree& tree,
                           const std::vector<Leaf>& leaves, std::mt19937_64& generator) {
  return reduce_tree<T>(stream, reduction.element, reduction.op, reduction.options, tree, leaves, generator);
}

}  // namespace

DEVICE_TEST("boxes of a tree") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("boxes of a tree");
  for (const BoxKind kind : all_box_kinds) {
    INFO("boxes: ", to_string(kind));
    const TestTree tree = make_tree(TreeKind::random, 2000, 2, generator);
    const std::vector<TestBox> boxes = make_boxes(kind, tree.leaves, generator);
    check_same(reduce_tree<TestBox>(stream, TreeReduction::boxes(3), tree, boxes, generator),
               fold_tree(tree, boxes, united));
  }
}

DEVICE_TEST("surface areas of a tree") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("surface areas of a tree");
  const TestTree tree = make_tree(TreeKind::random, 2000, 2, generator);
  const std::vector<TestBox> boxes = make_boxes(BoxKind::scattered, tree.leaves, generator);
  std::vector<BoxAndArea> leaves;
  for (const TestBox& box : boxes) leaves.push_back({box, surface_area(box)});
  const auto add = [](const BoxAndArea& a, const BoxAndArea& b) {
    return BoxAndArea{united(a.box, b.box), a.area + b.area};
  };
  const auto finish = [](const BoxAndArea& x, uint32_t) { return BoxAndArea{x.box, x.area + surface_area(x.box)}; };
  check_same(reduce_tree<BoxAndArea>(stream, TreeReduction::surface_areas(3), tree, boxes, generator),
             fold_tree(tree, leaves, add, finish));
}

DEVICE_TEST("boxes and perimeters of a tree in the plane") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("boxes of a tree in the plane");
  const TestTree tree{2, {{tree::leaf, tree::leaf + 1}}};
  const std::vector<std::array<float, 4>> leaves{{0, 1, 3, 2}, {-1, 5, 2, 7}};
  check_same(reduce_tree<std::array<float, 4>>(stream, TreeReduction::boxes(2), tree, leaves, generator),
             {{-1, 1, 3, 7}});
  check_same(reduce_tree<std::array<float, 5>>(stream, TreeReduction::surface_areas(2), tree, leaves, generator),
             {{-1, 1, 3, 7, 8 + 10 + 20}});
  for (const uint32_t dimensions : {0, 1, 4}) {
    check_error(ErrorCode::invalid_argument, {"boxes", std::to_string(dimensions)},
                [&] { TreeReduction::boxes(dimensions); });
    check_error(ErrorCode::invalid_argument, {"surface_areas", std::to_string(dimensions)},
                [&] { TreeReduction::surface_areas(dimensions); });
  }
}

DEVICE_TEST("numbers of leaves and levels in a tree") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("leaves and levels of a tree");
  const std::vector<uint32_t> none;
  for (const TreeKind kind : {TreeKind::random, TreeKind::chain, TreeKind::perfect}) {
    const TestTree tree = make_tree(kind, 1500, 2, generator);
    const std::vector<uint32_t> ones(tree.leaves, 1), zeros(tree.leaves, 0);
    check_same(reduce_tree<uint32_t>(stream, TreeReduction::counts(), tree, none, generator),
               fold_tree(tree, ones, std::plus()));
    TreeReduce::Options levels;
    levels.leaf = "0u";
    levels.node = "x + 1u";
    const auto larger = [](uint32_t a, uint32_t b) { return std::max(a, b); };
    check_same(reduce_tree<uint32_t>(stream, Element::of<uint32_t>(), Operator::max(), levels, tree, none, generator),
               fold_tree(tree, zeros, larger, [](uint32_t x, uint32_t) { return x + 1; }));
  }
}

DEVICE_TEST("expressions of a tree have the indices of leaves and nodes") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("indices in a tree");
  const TestTree tree = make_tree(TreeKind::random, 1000, 3, generator);
  const std::vector<uint32_t> input = random_values<uint32_t>(tree.leaves, generator);
  TreeReduce::Options options;
  options.arity = 3;
  options.transform = Transform::of(Element::of<uint32_t>(), "x ^ i * 5u");
  options.node = "x * 3u + i";
  std::vector<uint32_t> leaves;
  for (uint32_t i = 0; i < tree.leaves; ++i) leaves.push_back(input[i] ^ i * 5);
  check_same(reduce_tree<uint32_t>(stream, Element::of<uint32_t>(), Operator::sum(), options, tree, input, generator),
             fold_tree(tree, leaves, std::plus(), [](uint32_t x, uint32_t i) { return x * 3 + i; }));
}

DEVICE_TEST("a user's kernel goes up a tree") {
  constexpr const char* source = R"(#version 460
    layout(local_size_x = 64) in;
    #include "weft/device/tree_up.glsl"
    layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Links { uint at[]; };
    layout(buffer_reference, scalar, buffer_reference_align = 4) coherent buffer Values { uint at[]; };
    layout(push_constant, scalar) uniform Arguments {
      Links children, parents, leaf_parents;
      Values values;
      WeftTreeCounters counters;
      uint leaves;
    } args;

    uint value_of(uint child) {
      return weft_is_leaf(child) ? weft_leaf_index(child) : args.values.at[child];
    }

    void main() {
      uint leaf = gl_WorkGroupID.x * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
      if (leaf >= args.leaves) return;
      uint node = args.leaf_parents.at[leaf];
      while (node != weft_tree_none && weft_tree_arrive(args.counters, node, 2u)) {
        args.values.at[node] = 3u * value_of(args.children.at[2u * node]) + value_of(args.children.at[2u * node + 1u]);
        node = args.parents.at[node];
      }
    })";
  struct Block {
    Pointer<uint32_t> children, parents, leaf_parents, values, counters;
    uint32_t leaves, unused = 0;
  };
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("a user's tree");
  const TestTree tree = make_tree(TreeKind::random, 5000, 2, generator);
  std::vector<uint32_t> leaves(tree.leaves);
  for (uint32_t i = 0; i < tree.leaves; ++i) leaves[i] = i;
  const Guarded<uint32_t> children(device, stream, tree.links(2, generator), generator),
      parents(device, stream, tree.parents(), generator), leaf_parents(device, stream, tree.leaf_parents(), generator),
      values(device, stream, tree.inner(), generator),
      counters(device, stream, std::vector<uint32_t>(tree.inner()), generator);
  const Block block{children.view().pointer(), parents.view().pointer(),  leaf_parents.view().pointer(),
                    values.view().pointer(),   counters.view().pointer(), tree.leaves};
  stream.dispatch(device.kernel_from_glsl(source), {(tree.leaves + 63) / 64}, block);
  check_same(values.read(stream), fold_tree(tree, leaves, [](uint32_t a, uint32_t b) { return 3 * a + b; }));
  check_same(counters.read(stream), std::vector<uint32_t>(tree.inner(), 2), "arrivals");
}

DEVICE_TEST("tree reduce explains what is wrong") {
  Stream stream = device.stream();
  const Element word = Element::of<uint32_t>();
  const Operator sum = Operator::sum();
  const auto invalid = [&](const std::vector<std::string>& words, const auto& call) {
    check_error(ErrorCode::invalid_argument, words, call);
  };
  const auto plan_fails = [&](const std::vector<std::string>& words, const TreeReduce::Options& options) {
    invalid(words, [&] { TreeReduce(device, word, sum, 10, 10, options); });
  };
  invalid({"TreeReduce", "536870913", "536870912"},
          [&] { TreeReduce(device, word, sum, TreeReduce::max_nodes + 1, 10); });
  invalid({"TreeReduce", "536870913"}, [&] { TreeReduce(device, word, sum, 10, TreeReduce::max_nodes + 1); });
  plan_fails({"'arity' is 0"}, {.arity = 0});
  plan_fails({"records of 4 words", "word 4"}, {.record_words = 4, .parent = 4});
  plan_fails({"records of 4 words", "word 5"}, {.record_words = 4, .first_child = 3});
  TreeReduce::Options both;
  both.leaf = "1u";
  both.transform = Transform::of(word, "x");
  plan_fails({"transform", "expression of i"}, both);
  TreeReduce::Options broken;
  broken.node = "x + nothing";
  check_error(ErrorCode::compile_failed, {"TreeReduce", "node value", "x + nothing"},
              [&] { TreeReduce(device, word, sum, 10, 10, broken); });

  const TreeReduce plan(device, word, sum, 10, 10);
  const Buffer<uint32_t> leaves = device.buffer<uint32_t>(10), children = device.buffer<uint32_t>(20),
                         output = device.buffer<uint32_t>(10);
  const auto temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const TreeReduce::Arguments good{.leaves = leaves,
                                   .children = children,
                                   .parents = {},
                                   .leaf_parents = {},
                                   .output = output,
                                   .count = 10,
                                   .inner_count = 9,
                                   .temporary = temporary};
  const auto fails = [&](const std::vector<std::string>& words, const auto& change) {
    TreeReduce::Arguments arguments = good;
    change(arguments);
    invalid(words, [&] { plan.record(stream, arguments); });
  };
  fails({"'count'", "11", "10"}, [](auto& at) { at.count = 11; });
  fails({"'inner_count'", "11", "10"}, [](auto& at) { at.inner_count = 11; });
  fails({"'leaves'", "9"}, [&](auto& at) { at.leaves = leaves.part(0, 9); });
  fails({"'children'", "8"}, [&](auto& at) { at.children = children.part(0, 17); });
  fails({"'output'", "8"}, [&](auto& at) { at.output = output.part(0, 8); });
  fails({"'leaf_parents'", "0"}, [&](auto& at) { at.parents = children; });
  fails({"'parents'", "0"}, [&](auto& at) { at.leaf_parents = leaves; });
  fails({"'leaves'", "'output'", "overlap"}, [&](auto& at) { at.output = leaves; });
  fails({"'temporary'"}, [&](auto& at) { at.temporary = {}; });
}
