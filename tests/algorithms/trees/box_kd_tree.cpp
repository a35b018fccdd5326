#include <weft/box_kd_tree.h>

#include <algorithm>

#include "tests/algorithms/reference/bvh.h"
#include "tests/algorithms/trees/built_box_kd.h"

using namespace weft;
using namespace weft::test;

namespace {

using Set = std::vector<uint32_t>;

/// Compares each leaf with the boxes that a walk from the root takes there.
class TreeCheck {
 public:
  TreeCheck(const BoxKd& tree, const std::vector<TestBox>& boxes, uint32_t max_depth)
      : tree_(tree), boxes_(boxes), max_depth_(max_depth), listed_(tree.references.size()) {
    REQUIRE_GT(tree.nodes.size(), 0);
    visit(0, all_of(boxes), 0);
    CHECK_EQ(wrong_, 0);
    CHECK_EQ(visited_, tree.nodes.size());
    CHECK_EQ(std::ranges::count(listed_, 1), listed_.size());
  }

 private:
  void visit(uint32_t index, const Set& set, uint32_t depth) {
    if (index >= tree_.nodes.size() || depth > max_depth_ || ++visited_ > tree_.nodes.size()) {
      ++wrong_;
      return;
    }
    const BoxKdNode& node = tree_.nodes[index];
    if (node.axis == BoxKdNode::leaf) return visit_leaf(node, set);
    wrong_ += node.axis > 2 || node.number != 0 || node.first <= index;
    visit(node.first, side_of(set, boxes_, node.axis % 3, node.split, true), depth + 1);
    visit(node.first + 1, side_of(set, boxes_, node.axis % 3, node.split, false), depth + 1);
  }
  void visit_leaf(const BoxKdNode& leaf, const Set& set) {
    if (leaf.number != set.size() || uint64_t{leaf.first} + leaf.number > listed_.size()) {
      ++wrong_;
      return;
    }
    for (uint32_t k = 0; k < leaf.number; ++k) {
      wrong_ += tree_.references[leaf.first + k] != set[k];
      ++listed_[leaf.first + k];
    }
  }

  const BoxKd& tree_;
  const std::vector<TestBox>& boxes_;
  uint32_t max_depth_;
  std::vector<int> listed_;
  size_t visited_ = 0, wrong_ = 0;
};

double half_area(const TestBox& box) {
  double size[3];
  for (size_t axis = 0; axis < 3; ++axis) size[axis] = double(box.high[axis]) - double(box.low[axis]);
  return size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
}

std::pair<TestBox, TestBox> divided(const TestBox& cell, uint32_t axis, float split) {
  TestBox below = cell, above = cell;
  below.high[axis] = above.low[axis] = split;
  return {below, above};
}

/// The cost of a tree by the surface-area heuristic, times the area of its root.
double cost_of(const BoxKd& tree, uint32_t index, const TestBox& cell) {
  const BoxKdNode& node = tree.nodes[index];
  if (node.axis == BoxKdNode::leaf) return half_area(cell) * node.number;
  const auto [below, above] = divided(cell, node.axis, node.split);
  return half_area(cell) + cost_of(tree, node.first, below) + cost_of(tree, node.first + 1, above);
}

void check_equal(const BoxKd& actual, const BoxKd& expected) {
  check_same(actual.nodes, expected.nodes, "nodes");
  check_same(actual.references, expected.references, "references");
  CHECK_EQ(actual.refused, expected.refused);
}

}  // namespace

DEVICE_TEST("kd-trees of boxes have every box in the leaves that it overlaps") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("kd-trees of boxes");
  const BuiltBoxKd built(device, 300);
  for (const BoxKind kind : all_box_kinds) {
    for (const size_t count : {runs_fibers(device) ? 100 : 300, 33, 9, 2, 1}) {
      INFO("kind: ", std::string(to_string(kind)), ", boxes: ", count);
      const std::vector<TestBox> boxes = without_denormals(make_boxes(kind, count, generator));
      const BoxKd tree = built.build(stream, boxes, generator, count == 33);
      TreeCheck(tree, boxes, built.plan().max_depth());
      check_equal(tree, build_box_kd(boxes, options_of(built.plan(), {})));
      if (kind == BoxKind::scattered && count > 99) CHECK_GT(tree.nodes.size(), 15);
    }
  }
  TreeCheck(built.build(stream, {}, generator), {}, 0);
  const std::vector<TestBox> boxes = make_boxes_on_planes(300, generator);
  const BoxKd tree = built.build(stream, boxes, generator);
  TreeCheck(tree, boxes, built.plan().max_depth());
  check_equal(tree, build_box_kd(boxes, options_of(built.plan(), {})));
}

DEVICE_TEST("kd-trees of boxes cost much less than a list of them") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("costs of kd-trees");
  const size_t count = runs_fibers(device) ? 200 : 1500;
  const BoxKdTree::Options options{.leaf_size = 3, .max_references = 8 * count, .max_nodes = 8 * count};
  const BuiltBoxKd built(device, count, options);
  for (const BoxKind kind : {BoxKind::scattered, BoxKind::clustered}) {
    INFO("kind: ", std::string(to_string(kind)));
    const std::vector<TestBox> boxes = make_boxes(kind, count, generator);
    const BoxKd tree = built.build(stream, boxes, generator);
    TreeCheck(tree, boxes, built.plan().max_depth());
    check_equal(tree, build_box_kd(boxes, options_of(built.plan(), options)));
    CHECK_EQ(tree.refused, 0);
    const TestBox bounds = bounds_of(boxes);
    CHECK_LE(cost_of(tree, 0, bounds), (kind == BoxKind::scattered ? 0.25 : 0.5) * half_area(bounds) * double(count));
  }
}

DEVICE_TEST("kd-trees of boxes end where memory or depth does") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("room of kd-trees");
  std::vector<TestBox> boxes = make_boxes(BoxKind::scattered, 120, generator);
  for (size_t i = 0; i < boxes.size(); ++i) boxes[i].high[i % 3] += 4;  // Straddlers.
  const auto build = [&](const BoxKdTree::Options& options) {
    INFO("references: ", options.max_references, ", nodes: ", options.max_nodes, ", depth: ", options.max_depth);
    const BuiltBoxKd built(device, 120, options);
    const BoxKd tree = built.build(stream, boxes, generator);
    TreeCheck(tree, boxes, built.plan().max_depth());
    check_equal(tree, build_box_kd(boxes, options_of(built.plan(), options)));
    return tree;
  };
  const BoxKd whole = build({.leaf_size = 1, .max_references = 2000, .max_nodes = 2000});
  CHECK_EQ(whole.refused, 0);
  const uint64_t references = whole.references.size(), nodes = whole.nodes.size();
  REQUIRE_GT(references, 140);
  // With as much as the whole tree needs nothing is refused; with one less something is.
  CHECK(build({.leaf_size = 1, .max_references = references, .max_nodes = nodes}).nodes.size() == nodes);
  for (const uint64_t most : {uint64_t(120), uint64_t(130), references - 1}) {
    CHECK_GT(build({.leaf_size = 1, .max_references = most, .max_nodes = 2000}).refused, 0);
  }
  for (const uint64_t most : {uint64_t(1), uint64_t(2), uint64_t(3), uint64_t(30), nodes - 1}) {
    CHECK_GT(build({.leaf_size = 1, .max_references = 2000, .max_nodes = most}).refused, 0);
  }
  for (const uint32_t depth : {1, 5}) {
    const BoxKd tree = build({.leaf_size = 1, .max_depth = depth, .max_references = 2000, .max_nodes = 2000});
    CHECK_EQ(tree.refused, 0);
    CHECK_LE(tree.nodes.size(), size_t(2 << depth) - 1);
  }
  CHECK_EQ(build({.leaf_size = 120}).nodes.size(), 1);
}

DEVICE_TEST("plans for kd-trees of boxes explain what is wrong") {
  Stream stream = device.stream();
  const BvhPrimitive box = BvhPrimitive::boxes();
  const auto invalid = [&](const std::vector<std::string>& words, const auto& call) {
    check_error(ErrorCode::invalid_argument, words, call);
  };
  invalid({"BoxKdTree", "536870913", "536870912"}, [&] { BoxKdTree(device, box, BoxKdTree::max_primitives + 1); });
  invalid({"BoxKdTree", "by index", "boxes"}, [&] { BoxKdTree(device, BvhPrimitive::indexed_triangles(), 10); });
  invalid({"'max_depth'", "61", "60"}, [&] { BoxKdTree(device, box, 10, {.max_depth = 61}); });
  invalid({"'max_references'", "9", "10"}, [&] { BoxKdTree(device, box, 10, {.max_references = 9}); });
  invalid({"'max_nodes'", "536870913"}, [&] { BoxKdTree(device, box, 10, {.max_nodes = (1 << 29) + 1}); });
  invalid({"'costs'", "positive"}, [&] { BoxKdTree(device, box, 10, {.costs = {.node = 0}}); });
  check_error(ErrorCode::compile_failed, {"BoxKdTree", "low corner", "x.lowest"},
              [&] { BoxKdTree(device, {box.element, "x.lowest", "x.high", "x.low"}, 10); });
  const BoxKdTree plan(device, box, 10);
  const Buffer<TestBox> boxes = device.buffer<TestBox>(11);
  const Buffer<BoxKdNode> nodes = device.buffer<BoxKdNode>(plan.max_nodes());
  const Buffer<uint32_t> references = device.buffer<uint32_t>(plan.max_references()),
                         counts = device.buffer<uint32_t>(3);
  const Buffer<std::byte> temporary = device.buffer<std::byte>(plan.temporary_bytes());
  const BoxKdTree::Arguments good{boxes, nodes, references, counts, 10, temporary};
  plan.record(stream, good);
  const auto fails = [&](const std::vector<std::string>& words, const auto& change) {
    BoxKdTree::Arguments arguments = good;
    change(arguments);
    invalid(words, [&] { plan.record(stream, arguments); });
  };
  fails({"'count'", "11", "10"}, [](auto& at) { at.count = 11; });
  fails({"'primitives'", "9"}, [&](auto& at) { at.primitives = boxes.part(0, 9); });
  fails({"'nodes'", "336"}, [&](auto& at) { at.nodes = nodes.part(1, plan.max_nodes() - 1); });
  fails({"'references'", "160"}, [&](auto& at) { at.references = references.part(0, 39); });
  fails({"'counts'", "12"}, [&](auto& at) { at.counts = counts.part(0, 2); });
  fails({"'primitives'", "'references'", "overlap"}, [&](auto& at) { at.references = boxes; });
  fails({"'temporary'"}, [](auto& at) { at.temporary = {}; });
  stream.synchronize();
}
