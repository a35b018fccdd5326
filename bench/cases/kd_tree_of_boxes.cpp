#include <algorithm>
#include <array>
#include <vector>

#include <weft/box_kd_tree.h>

#include "bench/benchmark.h"
#include "bench/cases/boxes.h"
#include "bench/sets.h"

namespace weft::bench {
namespace {

using Counts = std::array<uint32_t, 3>;

// Whether each leaf that a box overlaps refers to it.
bool is_found(const std::vector<BoxKdNode>& nodes, const std::vector<uint32_t>& references, const Boxes& boxes,
              uint32_t index) {
  std::vector<uint32_t> open{0};
  while (!open.empty()) {
    const BoxKdNode node = nodes.at(open.back());
    open.pop_back();
    if (node.axis == BoxKdNode::leaf) {
      const auto first = references.begin() + node.first;
      if (!std::binary_search(first, first + node.number, index)) return false;
    } else {
      const float low = boxes[index].low[node.axis], high = boxes[index].high[node.axis];
      if (low < node.split) open.push_back(node.first);
      if (!(low < node.split) || node.split < high) open.push_back(node.first + 1);
    }
  }
  return true;
}

class BoxKdTreeCase : public Case {
 public:
  explicit BoxKdTreeCase(const Problem& problem)
      : problem_(problem),
        plan_(problem.device, BvhPrimitive::boxes(), problem.count, {.tuning = problem.tuning}),
        boxes_(scene_of(problem)),
        inputs_(problem.device, problem.count * sizeof(Box<3>), problem.sets),
        nodes_(problem.device, plan_.max_nodes() * sizeof(BoxKdNode), problem.sets),
        references_(problem.device, plan_.max_references() * sizeof(uint32_t), problem.sets),
        counts_(problem.device, sizeof(Counts), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {
    Stream stream = problem.device.stream();
    upload_to_sets(stream, inputs_, boxes_);
  }

  // As if there were one reference and one node for each box.
  uint64_t bytes_moved() const override {
    return problem_.count * (sizeof(Box<3>) + sizeof(BoxKdNode) + sizeof(uint32_t));
  }
  void poison(Stream& stream) const override {
    for (const Sets* sets : {&nodes_, &references_, &counts_}) poison_region(stream, sets->all());
  }
  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {.primitives = inputs_[set],
                            .nodes = nodes_[set],
                            .references = references_[set],
                            .counts = View<uint32_t>(counts_[set]),
                            .count = problem_.count,
                            .temporary = temporary_});
  }

  // Looks for up to 1000 boxes.
  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    std::vector<BoxKdNode> nodes = stream.download(View<BoxKdNode>(nodes_[set]));
    std::vector<uint32_t> references = stream.download(View<uint32_t>(references_[set]));
    const Counts counts = stream.download(View<Counts>(counts_[set])).front();
    if (counts[0] > nodes.size() || counts[1] > references.size()) return "there is no room for the tree";
    nodes.resize(counts[0]);
    references.resize(counts[1]);
    const uint64_t step = std::max<uint64_t>(problem_.count / 1000, 1);
    for (uint32_t i = 0; i < problem_.count; i += step) {
      if (!is_found(nodes, references, boxes_, i)) return "box " + std::to_string(i) + " is not in a leaf";
    }
    return std::nullopt;
  }

 private:
  Problem problem_;
  BoxKdTree plan_;
  Boxes boxes_;
  Sets inputs_, nodes_, references_, counts_;
  Buffer<std::byte> temporary_;
};

}  // namespace

std::span<const Benchmark> benchmarks_of_kd_tree_of_boxes() {
  static constexpr Benchmark rows[] = {
      {"kd-tree", "boxes", false, "a kd-tree of boxes by the surface-area heuristic", boxes_and_nodes,
       prepare<BoxKdTreeCase>, Takes::mesh},
  };
  return rows;
}

}  // namespace weft::bench
