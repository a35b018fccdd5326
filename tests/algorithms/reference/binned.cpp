#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/algorithms/reference/lbvh.h"

/// Hierarchies by the surface-area heuristic on the host, as CPU ray tracers build them.
namespace weft::test {
namespace {

constexpr size_t bins = 16;

/// Boxes below a node, by their indices.
class BinnedNode {
 public:
  BinnedNode(const std::vector<TestBox>& boxes, const std::vector<std::array<float, 3>>& centers,
             std::vector<uint32_t> indices)
      : boxes_(boxes), centers_(centers), indices_(std::move(indices)) {
    for (const uint32_t i : indices_) {
      around_ = united(around_, boxes_[i]);
      around_centers_ = united(around_centers_, {centers_[i], centers_[i]});
    }
  }

  bool is_leaf() const { return indices_.size() == 1; }
  double area() const { return surface_area(around_); }

  /// The children that cost least; halves if all centers are the same.
  std::pair<BinnedNode, BinnedNode> split() const {
    Split best;
    for (size_t axis = 0; axis < 3; ++axis) best = std::min(best, best_along(axis));
    std::vector<uint32_t> sides[2];
    for (size_t k = 0; k < indices_.size(); ++k) {
      const bool is_half = best.cost == INFINITY && k >= indices_.size() / 2;
      sides[is_half || (best.cost < INFINITY && bin_of(indices_[k], best.axis) > best.bin)].push_back(indices_[k]);
    }
    return {{boxes_, centers_, sides[0]}, {boxes_, centers_, sides[1]}};
  }

 private:
  struct Split {
    double cost = INFINITY;
    size_t axis = 0, bin = 0;

    bool operator<(const Split& other) const { return cost < other.cost; }
  };

  size_t bin_of(uint32_t i, size_t axis) const {
    const float low = around_centers_.low[axis], extent = around_centers_.high[axis] - low;
    return extent > 0 ? std::min(bins - 1, size_t(bins * ((centers_[i][axis] - low) / extent))) : 0;
  }

  Split best_along(size_t axis) const {
    std::vector<TestBox> in_bin(bins, no_box());
    std::vector<uint32_t> number(bins);
    for (const uint32_t i : indices_) {
      TestBox& box = in_bin[bin_of(i, axis)];
      box = united(box, boxes_[i]);
      ++number[bin_of(i, axis)];
    }
    Split best;
    for (size_t last = 0; last + 1 < bins; ++last) {
      TestBox sides[] = {no_box(), no_box()};
      uint32_t on_side[] = {0, 0};
      for (size_t bin = 0; bin < bins; ++bin) {
        sides[bin > last] = united(sides[bin > last], in_bin[bin]);
        on_side[bin > last] += number[bin];
      }
      if (on_side[0] == 0 || on_side[1] == 0) continue;
      const double cost = double(surface_area(sides[0])) * on_side[0] + double(surface_area(sides[1])) * on_side[1];
      best = std::min(best, Split{cost, axis, last});
    }
    return best;
  }

  const std::vector<TestBox>& boxes_;
  const std::vector<std::array<float, 3>>& centers_;
  std::vector<uint32_t> indices_;
  TestBox around_ = no_box(), around_centers_ = no_box();
};

}  // namespace

double binned_cost(const std::vector<TestBox>& boxes) {
  const std::vector<std::array<float, 3>> centers = centers_of(boxes);
  std::vector<uint32_t> everything(boxes.size());
  std::iota(everything.begin(), everything.end(), 0u);
  std::vector<BinnedNode> todo{{boxes, centers, everything}};
  const double root = todo[0].area();
  double sum = 0;
  while (!todo.empty()) {
    const BinnedNode node = todo.back();
    todo.pop_back();
    sum += node.area();
    if (node.is_leaf()) continue;
    auto [first, second] = node.split();
    todo.push_back(first);
    todo.push_back(second);
  }
  return sum / root;
}

}  // namespace weft::test
