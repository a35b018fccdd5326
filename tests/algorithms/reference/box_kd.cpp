#include "tests/algorithms/reference/box_kd.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace weft::test {
namespace {

using Set = std::vector<uint32_t>;

/// A float that is rounded after each step: memory between two steps, so that nothing is contracted.
struct Rounded {
  float value;

  Rounded(float x) : value(stored(x)) {}
  operator float() const { return value; }
  static float stored(float x) {
    const volatile float memory = x;
    return memory;
  }
};
Rounded operator+(Rounded a, Rounded b) { return a.value + b.value; }
Rounded operator-(Rounded a, Rounded b) { return a.value - b.value; }
Rounded operator*(Rounded a, Rounded b) { return a.value * b.value; }

Rounded half_area(Rounded x, Rounded y, Rounded z) {
  const Rounded a = x + Rounded(0.001f), b = y + Rounded(0.001f), c = z + Rounded(0.001f);
  return a * b + b * c + c * a;
}

struct Cell {
  TestBox box;
  Set set;
  uint32_t node;
};

struct Choice {
  uint32_t axis = BoxKdNode::leaf;
  float split = 0;
  Set below{}, above{};
};

class BoxKdBuilder {
 public:
  BoxKdBuilder(const std::vector<TestBox>& boxes, const BoxKdTree::Options& options)
      : boxes_(boxes), options_(options) {}

  BoxKd build() {
    std::vector<Cell> level{{bounded(bounds_of(boxes_)), all_of(boxes_), 0}};
    tree_.nodes.resize(1);
    for (uint32_t depth = 0; !level.empty(); ++depth) level = divide(level, depth < options_.max_depth);
    return tree_;
  }

 private:
  static TestBox bounded(TestBox box) {
    for (size_t axis = 0; axis < 3; ++axis) {
      box.low[axis] = std::clamp(box.low[axis], -0x1p100f, 0x1p100f);
      box.high[axis] = std::clamp(box.high[axis], -0x1p100f, 0x1p100f);
    }
    return box;
  }

  Choice choose(const Cell& cell) const {
    Choice best;
    const Rounded size[] = {Rounded(cell.box.high[0]) - Rounded(cell.box.low[0]),
                            Rounded(cell.box.high[1]) - Rounded(cell.box.low[1]),
                            Rounded(cell.box.high[2]) - Rounded(cell.box.low[2])};
    const float longest = std::max({float(size[0]), float(size[1]), float(size[2])});
    const Rounded scale = std::bit_cast<float>(0x7F000000 - (std::bit_cast<uint32_t>(longest) & 0x7F800000));
    const Rounded edges[] = {size[0] * scale, size[1] * scale, size[2] * scale};
    const Rounded node_cost = options_.costs.node, leaf_cost = options_.costs.leaf;
    float least = leaf_cost * (half_area(edges[0], edges[1], edges[2]) * Rounded(float(cell.set.size())));
    for (uint32_t axis = 0; axis < 3; ++axis) {
      const float low = cell.box.low[axis], high = cell.box.high[axis];
      const Rounded y = edges[(axis + 1) % 3], z = edges[(axis + 2) % 3];
      for (int k = 1; k < 16; ++k) {
        const float split = Rounded(low) + (Rounded(high) - Rounded(low)) * Rounded(float(k) / 16);
        if (!(low < split && split < high)) continue;
        const Set below = side_of(cell.set, boxes_, axis, split, true),
                  above = side_of(cell.set, boxes_, axis, split, false);
        const Rounded at_below =
            half_area((Rounded(split) - Rounded(low)) * scale, y, z) * Rounded(float(below.size()));
        const Rounded at_above =
            half_area((Rounded(high) - Rounded(split)) * scale, y, z) * Rounded(float(above.size()));
        const float cost =
            node_cost * half_area((Rounded(high) - Rounded(low)) * scale, y, z) + leaf_cost * (at_below + at_above);
        if (cost >= least) continue;
        least = cost;
        best = {axis, split, below, above};
      }
    }
    return best;
  }

  std::vector<Cell> divide(const std::vector<Cell>& level, bool may_divide) {
    size_t room = options_.max_references - tree_.references.size();
    for (const Cell& cell : level) room -= cell.set.size();
    std::vector<Cell> below, above;
    bool has_room = true;
    for (const Cell& cell : level) {
      const Choice choice = may_divide && cell.set.size() > options_.leaf_size ? choose(cell) : Choice();
      const bool is_parent = choice.axis != BoxKdNode::leaf;
      const size_t gained = is_parent ? choice.below.size() + choice.above.size() - cell.set.size() : 0;
      if (is_parent) has_room = has_room && gained <= room && tree_.nodes.size() + 2 <= options_.max_nodes;
      tree_.refused += is_parent && !has_room;
      if (is_parent && has_room) {
        room -= gained;
        add_parent(cell, choice, below, above);
      } else {
        tree_.nodes[cell.node] = {BoxKdNode::leaf, 0, uint32_t(tree_.references.size()), uint32_t(cell.set.size())};
        tree_.references.insert(tree_.references.end(), cell.set.begin(), cell.set.end());
      }
    }
    below.insert(below.end(), above.begin(), above.end());
    return below;
  }

  void add_parent(const Cell& cell, const Choice& choice, std::vector<Cell>& below, std::vector<Cell>& above) {
    const auto child = uint32_t(tree_.nodes.size());
    tree_.nodes[cell.node] = {choice.axis, choice.split, child, 0};
    tree_.nodes.resize(child + 2);
    below.push_back({cell.box, choice.below, child});
    below.back().box.high[choice.axis] = choice.split;
    above.push_back({cell.box, choice.above, child + 1});
    above.back().box.low[choice.axis] = choice.split;
  }

  const std::vector<TestBox>& boxes_;
  BoxKdTree::Options options_;
  BoxKd tree_;
};

}  // namespace

bool is_box(const TestBox& box) {
  bool is_one = true;
  for (size_t axis = 0; axis < 3; ++axis) is_one = is_one && box.low[axis] <= box.high[axis];
  return is_one;
}

std::vector<TestBox> make_boxes_on_planes(size_t count, std::mt19937_64& generator) {
  std::vector<TestBox> boxes{{{0, 0, 0}, {1, 1, 1}}, {{15, 15, 15}, {16, 16, 16}}};
  while (boxes.size() < count) {
    TestBox& box = boxes.emplace_back();
    for (size_t axis = 0; axis < 3; ++axis) {
      box.low[axis] = float(generator() % 15);
      box.high[axis] = box.low[axis] + float(generator() % 3);
    }
  }
  return boxes;
}

Set all_of(const std::vector<TestBox>& boxes) {
  Set set;
  for (uint32_t i = 0; i < boxes.size(); ++i) {
    if (is_box(boxes[i])) set.push_back(i);
  }
  return set;
}

Set side_of(const Set& set, const std::vector<TestBox>& boxes, uint32_t axis, float split, bool below) {
  Set side;
  std::ranges::copy_if(set, std::back_inserter(side), [&](uint32_t i) {
    const bool begins_below = boxes[i].low[axis] < split;
    return below ? begins_below : !begins_below || split < boxes[i].high[axis];
  });
  return side;
}

TestBox bounds_of(const std::vector<TestBox>& boxes) {
  const Set all = all_of(boxes);
  TestBox bounds = all.empty() ? TestBox{} : boxes[all[0]];
  for (const uint32_t i : all) bounds = united(bounds, boxes[i]);
  return bounds;
}

BoxKd build_box_kd(const std::vector<TestBox>& boxes, const BoxKdTree::Options& options) {
  return BoxKdBuilder(boxes, options).build();
}

BoxKdTree::Options options_of(const BoxKdTree& plan, BoxKdTree::Options options) {
  options.max_depth = plan.max_depth();
  options.max_references = plan.max_references();
  options.max_nodes = plan.max_nodes();
  return options;
}

}  // namespace weft::test
