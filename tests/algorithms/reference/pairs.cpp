#include "tests/algorithms/reference/pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace weft::test {
namespace {

bool is_somewhere(const TestBox& box) {
  for (size_t axis = 0; axis < 3; ++axis) {
    if (!(box.low[axis] <= box.high[axis])) return false;
  }
  return true;
}

// Cubes of a lattice, each as large as its cell, so that neighbours touch at faces, edges and corners.
std::vector<TestBox> lattice(size_t count, std::mt19937_64& generator) {
  const size_t side = size_t(std::cbrt(double(count))) + 1;
  std::vector<TestBox> boxes(count);
  for (size_t i = 0; i < count; ++i) {
    const size_t cell[] = {i % side, i / side % side, i / side / side};
    for (size_t axis = 0; axis < 3; ++axis) {
      boxes[i].low[axis] = 0.25f * float(cell[axis]) - 2;
      boxes[i].high[axis] = boxes[i].low[axis] + 0.25f;
    }
  }
  std::ranges::shuffle(boxes, generator);
  return boxes;
}

// Each inside the one before.
std::vector<TestBox> nested(size_t count, std::mt19937_64& generator) {
  std::vector<TestBox> boxes(count);
  for (size_t i = 0; i < count; ++i) {
    boxes[i].low.fill(-float(i));
    boxes[i].high.fill(float(i) + 0.5f);
  }
  std::ranges::shuffle(boxes, generator);
  return boxes;
}

// Stretched along one axis, and far from the origin.
std::vector<TestBox> anisotropic(size_t count, std::mt19937_64& generator) {
  std::vector<TestBox> boxes = make_boxes(BoxKind::scattered, count, generator);
  const size_t axis = generator() % 3;
  for (TestBox& box : boxes) {
    for (float* x : {&box.low[axis], &box.high[axis]}) *x = 100 * *x - 3000;
  }
  return boxes;
}

}  // namespace

bool share_a_point(const TestBox& a, const TestBox& b) {
  bool touch = is_somewhere(a) && is_somewhere(b);
  for (size_t axis = 0; axis < 3; ++axis) touch = touch && a.low[axis] <= b.high[axis] && b.low[axis] <= a.high[axis];
  return touch;
}

std::vector<IndexPair> pairs_of(const std::vector<TestBox>& boxes) {
  std::vector<IndexPair> pairs;
  for (uint32_t i = 0; i < boxes.size(); ++i) {
    for (uint32_t j = i + 1; j < boxes.size(); ++j) {
      if (share_a_point(boxes[i], boxes[j])) pairs.push_back({i, j});
    }
  }
  return pairs;
}

std::vector<IndexPair> pairs_by_brute_force(const std::vector<TestBox>& boxes) {
  std::vector<IndexPair> pairs;
  const auto count = uint32_t(boxes.size());
  for (uint32_t apart = 1; apart <= count / 2; ++apart) {
    const uint32_t first = 2 * apart == count ? apart : count;
    for (uint32_t i = 0; i < first; ++i) {
      const uint32_t j = (i + apart) % count;
      if (share_a_point(boxes[i], boxes[j])) pairs.push_back({std::min(i, j), std::max(i, j)});
    }
  }
  return pairs;
}

std::vector<IndexPair> pairs_in_order(const std::vector<TestBox>& boxes, const std::vector<uint32_t>& order) {
  std::vector<IndexPair> pairs;
  for (size_t p = 0; p < order.size(); ++p) {
    for (size_t q = p + 1; q < order.size(); ++q) {
      const uint32_t i = order[p], j = order[q];
      if (share_a_point(boxes[i], boxes[j])) pairs.push_back({std::min(i, j), std::max(i, j)});
    }
  }
  return pairs;
}

std::vector<uint32_t> order_along(const std::vector<TestBox>& boxes, size_t axis) {
  std::vector<uint32_t> order(boxes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::erase_if(order, [&](uint32_t i) { return !is_somewhere(boxes[i]); });
  std::ranges::stable_sort(order, {}, [&](uint32_t i) { return boxes[i].low[axis]; });
  return order;
}

std::vector<PairScene> pair_scenes(size_t count, std::mt19937_64& generator) {
  std::vector<PairScene> scenes;
  for (const BoxKind kind : all_box_kinds) scenes.push_back({to_string(kind), make_boxes(kind, count, generator)});
  scenes.push_back({"touching", lattice(count, generator)});
  scenes.push_back({"nested", nested(count, generator)});
  scenes.push_back({"anisotropic", anisotropic(count, generator)});
  scenes.push_back({"one huge box", make_boxes(BoxKind::scattered, count, generator)});
  if (count > 0) scenes.back().boxes[generator() % count] = {{-1e6f, -1e6f, -1e6f}, {1e6f, 1e6f, 1e6f}};
  scenes.push_back({"zeros of both signs", std::vector<TestBox>(count)});
  for (TestBox& box : scenes.back().boxes) {
    const float lows[] = {-1, -0.0f, 0}, highs[] = {-0.0f, 0, 1};
    for (float& x : box.low) x = lows[generator() % 3];
    for (float& x : box.high) x = highs[generator() % 3];
  }
  scenes.push_back({"everywhere", make_boxes(BoxKind::scattered, count, generator)});
  for (size_t i = 0; i < count; i += 7) {
    scenes.back().boxes[i].low.fill(-INFINITY);
    scenes.back().boxes[i].high.fill(i % 2 ? INFINITY : scenes.back().boxes[i].high[0]);
  }
  return scenes;
}

}  // namespace weft::test
