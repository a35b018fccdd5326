#include <weft/lbvh.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "bench/benchmark.h"
#include "bench/cases/boxes.h"
#include "bench/sets.h"
#include "support/morton.h"
#include "support/text.h"

namespace weft::bench {
namespace {

Box<3> united(const Box<3>& a, const Box<3>& b) {
  Box<3> both;
  for (size_t axis = 0; axis < 3; ++axis) {
    both.low[axis] = std::min(a.low[axis], b.low[axis]);
    both.high[axis] = std::max(a.high[axis], b.high[axis]);
  }
  return both;
}
bool same(const Box<3>& a, const Box<3>& b) { return a.low == b.low && a.high == b.high; }

// A hierarchy as it was downloaded. What the codes, ranges and boxes of a linear one must fulfil leaves one tree only.
class Hierarchy {
 public:
  Hierarchy(const Boxes& boxes, bool linear, bool wide, std::vector<BvhNode> nodes, std::vector<uint32_t> indices,
            std::vector<uint32_t> leaf_parents)
      : boxes_(boxes),
        linear_(linear),
        nodes_(std::move(nodes)),
        indices_(std::move(indices)),
        leaf_parents_(std::move(leaf_parents)) {
    std::vector<float> centers;
    for (const Box<3>& box : boxes) {
      for (size_t axis = 0; axis < 3; ++axis) centers.push_back(0.5f * box.low[axis] + 0.5f * box.high[axis]);
    }
    codes_ = support::morton_codes(centers, 3, wide);
  }

  std::optional<std::string> wrong() const {
    std::vector<uint32_t> order(boxes_.size());
    std::iota(order.begin(), order.end(), 0u);
    if (linear_) {
      std::ranges::stable_sort(order, {}, [&](uint32_t i) { return codes_[i]; });
      if (indices_ != order) return "leaves are not in the order of their codes";
    } else {
      std::vector<uint32_t> sorted = indices_;
      std::ranges::sort(sorted);
      if (sorted != order) return "leaves are not the primitives";
    }
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      if (!is_right(i)) return "node " + std::to_string(i) + " is wrong";
    }
    return std::nullopt;
  }

 private:
  struct Range {
    uint32_t first, last;
  };
  static bool is_leaf(uint32_t child) { return child >= tree::leaf; }

  Range range_of(uint32_t child) const {
    const uint32_t i = child & ~tree::leaf, end = is_leaf(child) ? i : nodes_[i].end;
    return {std::min(i, end), std::max(i, end)};
  }
  uint32_t parent_of(uint32_t child) const {
    return is_leaf(child) ? leaf_parents_[child - tree::leaf] : nodes_[child].parent;
  }
  Box<3> box_of(uint32_t child) const {
    if (is_leaf(child)) return boxes_[indices_[child - tree::leaf]];
    return united(nodes_[child].boxes[0], nodes_[child].boxes[1]);
  }
  int common_bits(Range leaves) const {
    if (leaves.first == leaves.last) return 128;
    const uint64_t differing = codes_[indices_[leaves.first]] ^ codes_[indices_[leaves.last]];
    return differing ? std::countl_zero(differing) : 64 + std::countl_zero(uint64_t{leaves.first ^ leaves.last});
  }

  bool is_right(uint32_t i) const {
    const BvhNode& node = nodes_[i];
    const Range all = range_of(i), halves[] = {range_of(node.children[0]), range_of(node.children[1])};
    bool right = halves[0].first == all.first && halves[0].last + 1 == halves[1].first && halves[1].last == all.last;
    for (uint32_t k = 0; k < 2; ++k) {
      const uint32_t child = node.children[k];
      right = right && parent_of(child) == i && same(node.boxes[k], box_of(child)) &&
              (!linear_ || common_bits(halves[k]) > common_bits(all));
    }
    return right && (i > 0 || (node.parent == tree::none && all.last + 1 == boxes_.size()));
  }

  const Boxes& boxes_;
  bool linear_;
  std::vector<BvhNode> nodes_;
  std::vector<uint32_t> indices_, leaf_parents_;
  std::vector<uint64_t> codes_;
};

// Codes have 30 bits, or 63 for elements of 8 bytes.
class LbvhCase : public Case {
 public:
  LbvhCase(const Problem& problem, Lbvh::Builder builder, bool refits)
      : problem_(problem),
        builder_(builder),
        wide_(support::bytes(problem.type) == 8),
        refits_(refits),
        plan_(problem.device, BvhPrimitive::boxes(), problem.count,
              {.code_bits = wide_ ? 63u : 30u, .builder = builder, .tuning = problem.tuning}),
        boxes_(scene_of(problem)),
        inputs_(problem.device, boxes_.size() * sizeof(Box<3>), problem.sets),
        nodes_(problem.device, node_count() * sizeof(BvhNode), problem.sets),
        indices_(problem.device, problem.count * sizeof(uint32_t), problem.sets),
        leaf_parents_(problem.device, problem.count * sizeof(uint32_t), problem.sets),
        bounds_(problem.device, sizeof(Box<3>), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {
    Stream stream = problem.device.stream();
    upload_to_sets(stream, inputs_, boxes_);
  }

  // A refit reads and writes nodes; a construction only writes them.
  uint64_t bytes_moved() const override {
    const uint64_t leaf_bytes = sizeof(Box<3>) + 2 * sizeof(uint32_t), links_bytes = 4 * sizeof(uint32_t);
    return problem_.count * leaf_bytes + node_count() * (sizeof(BvhNode) + (refits_ ? links_bytes : 0));
  }
  std::string variant() const override {
    const char* const names[] = {"one-pass, ", "two-passes, ", "agglomerative, "};
    return (refits_ ? "" : names[size_t(builder_)]) + std::string(wide_ ? "63 bits" : "30 bits");
  }

  // A refit finds the links that it keeps, and boxes that it must overwrite.
  void poison(Stream& stream) const override {
    for (const Sets* sets : {&nodes_, &indices_, &leaf_parents_, &bounds_}) poison_region(stream, sets->all());
    if (!refits_) return;
    for (uint32_t set = 0; set < problem_.sets; ++set) {
      plan_.record(stream, arguments(set));
      std::vector<BvhNode> nodes = stream.download(View<BvhNode>(nodes_[set]));
      for (BvhNode& node : nodes) node.boxes[0] = node.boxes[1] = {{9, 9, 9}, {-9, -9, -9}};
      stream.upload<BvhNode>(View<BvhNode>(nodes_[set]), nodes);
    }
  }

  void record(Recorder& recorder, uint32_t set) const override {
    if (refits_) {
      plan_.record_refit(recorder, arguments(set));
    } else {
      plan_.record(recorder, arguments(set));
    }
  }

  // Peers have trees of their own.
  std::optional<PeerWork> peer_work() const override {
    if (builder_ != Lbvh::Builder::agglomerative) return std::nullopt;
    return PeerWork{
        .row = "bvh_build",
        .inputs = {{"f32", inputs_[0]}},
        .outputs = {{"u32", nodes_[0]}, {"u32", indices_[0]}, {"u32", leaf_parents_[0]}, {"f32", bounds_[0]}}};
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    return Hierarchy(boxes_, builder_ != Lbvh::Builder::agglomerative, wide_,
                     stream.download(View<BvhNode>(nodes_[set])), stream.download(View<uint32_t>(indices_[set])),
                     stream.download(View<uint32_t>(leaf_parents_[set])))
        .wrong();
  }

 private:
  uint64_t node_count() const { return std::max<uint64_t>(problem_.count, 1) - 1; }
  Lbvh::Arguments arguments(uint32_t set) const {
    return {.primitives = inputs_[set],
            .nodes = nodes_[set],
            .indices = indices_[set],
            .leaf_parents = leaf_parents_[set],
            .bounds = bounds_[set],
            .count = problem_.count,
            .temporary = temporary_};
  }

  Problem problem_;
  Lbvh::Builder builder_;
  bool wide_, refits_;
  Lbvh plan_;
  Boxes boxes_;
  Sets inputs_, nodes_, indices_, leaf_parents_, bounds_;
  Buffer<std::byte> temporary_;
};

}  // namespace

std::span<const Benchmark> benchmarks_of_lbvh() {
  static constexpr Benchmark rows[] = {
      {"lbvh", "one-pass", true, "a hierarchy of boxes, by codes of the element's size", boxes_and_nodes,
       prepare<LbvhCase, Lbvh::Builder::one_pass, false>, Takes::mesh},
      {"lbvh", "two-passes", true, "links first, then boxes", boxes_and_nodes,
       prepare<LbvhCase, Lbvh::Builder::two_passes, false>, Takes::mesh},
      {"lbvh", "agglomerative", false, "a better one, by merging clusters", boxes_and_nodes,
       prepare<LbvhCase, Lbvh::Builder::agglomerative, false>, Takes::mesh},
      {"refit", "", true, "boxes of such a hierarchy anew", boxes_and_nodes,
       prepare<LbvhCase, Lbvh::Builder::two_passes, true>, Takes::mesh},
  };
  return rows;
}

}  // namespace weft::bench
