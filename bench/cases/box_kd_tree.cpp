#include <weft/box_kd_tree.h>

#include <algorithm>
#include <array>
#include <vector>

#include "bench/cases.h"
#include "bench/cases/box_hierarchy.h"
#include "bench/sets.h"
#include "weft_bench_kernels.h"

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
  std::string variant() const override { return "boxes"; }
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

// Push constants of bench/kernels/kd_rays.comp.
struct RaysBlock {
  uint64_t nodes, references, boxes, rays, hits;
  uint32_t count, unused;
};

// The rays and boxes of rays:nearest. What is found is compared with that. Near misses, which either may take for hits,
// are rare.
class KdRaysCase : public Case {
 public:
  KdRaysCase(const Problem& problem, Stream& stream)
      : problem_(problem),
        kernel_(problem.device.kernel(kernels::kd_rays())),
        plan_(problem.device, BvhPrimitive::boxes(), problem.count, {.tuning = problem.tuning}),
        boxes_(problem.device.buffer<Box<3>>(problem.count)),
        nodes_(problem.device.buffer<BoxKdNode>(plan_.max_nodes())),
        references_(problem.device.buffer<uint32_t>(plan_.max_references())),
        inputs_(problem.device, problem.count * sizeof(BvhRay), problem.sets),
        hits_(problem.device, problem.count * sizeof(BvhHit), problem.sets) {
    upload_to_sets(stream, inputs_, random_rays(problem));
    stream.upload(boxes_, scene_of(problem));
    const Buffer<uint32_t> counts = problem.device.buffer<uint32_t>(3);
    const Buffer<std::byte> temporary = problem.device.buffer<std::byte>(plan_.temporary_bytes());
    plan_.record(stream, {boxes_, nodes_, references_, counts, problem.count, temporary});
    expected_ = BoxHierarchy(problem, stream).first_hits(stream, inputs_[0], hits_[0]);
  }

  uint64_t bytes_moved() const override { return problem_.count * (sizeof(BvhRay) + sizeof(BvhHit)); }
  std::string variant() const override { return "kd-tree"; }
  void poison(Stream& stream) const override { poison_region(stream, hits_.all()); }

  void record(Recorder& recorder, uint32_t set) const override {
    recorder.dispatch(kernel_, grid_of(problem_.count),
                      RaysBlock{nodes_.pointer().address, references_.pointer().address, boxes_.pointer().address,
                                inputs_[set].address(), hits_[set].address(), uint32_t(problem_.count), 0});
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    const std::vector<uint32_t> hits = stream.download(View<uint32_t>(hits_[set]));
    uint64_t different = 0;
    for (size_t i = 0; i < hits.size(); i += 2) different += hits[i] != expected_[i] || hits[i + 1] != expected_[i + 1];
    if (different <= problem_.count / 10'000) return std::nullopt;
    return std::to_string(different) + " hits are not those that BvhQuery finds";
  }

 private:
  Problem problem_;
  Kernel kernel_;
  BoxKdTree plan_;
  Buffer<Box<3>> boxes_;
  Buffer<BoxKdNode> nodes_;
  Buffer<uint32_t> references_;
  Sets inputs_, hits_;
  std::vector<uint32_t> expected_;
};

}  // namespace

std::unique_ptr<Case> prepare_kd_tree_of_boxes(const Problem& problem) {
  return std::make_unique<BoxKdTreeCase>(problem);
}
std::unique_ptr<Case> prepare_rays_in_kd_tree(const Problem& problem) {
  check_invocations(problem);
  Stream stream = problem.device.stream();
  return std::make_unique<KdRaysCase>(problem, stream);
}

}  // namespace weft::bench
