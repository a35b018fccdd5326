#include <weft/tree_reduce.h>

#include "bench/benchmark.h"
#include "bench/sets.h"
#include "support/text.h"

namespace weft::bench {
namespace {

// Sums up a binary tree of all levels full but the last: the children of node i are the nodes 2i + 1 and 2i + 2.
class TreeReduceCase : public Case {
 public:
  explicit TreeReduceCase(const Problem& problem)
      : problem_(problem),
        inner_(std::max<uint64_t>(problem.count, 1) - 1),
        plan_(problem.device, support::element_of(problem.type), Operator::sum(), problem.count, inner_,
              {.tuning = problem.tuning}),
        leaves_(random_inputs(problem)),
        children_(problem.device, 2 * inner_ * sizeof(uint32_t), problem.sets),
        parents_(problem.device, inner_ * sizeof(uint32_t), problem.sets),
        leaf_parents_(problem.device, problem.count * sizeof(uint32_t), problem.sets),
        outputs_(problem.device, inner_ * support::bytes(problem.type), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {
    std::vector<uint32_t> children(2 * inner_), parents(inner_), leaf_parents(problem.count);
    for (uint64_t i = 0; i < 2 * inner_; ++i) children[i] = reference(i + 1);
    for (uint64_t i = 0; i < inner_; ++i) parents[i] = parent(i);
    for (uint64_t i = 0; i < problem.count; ++i) leaf_parents[i] = parent(inner_ + i);
    Stream stream = problem.device.stream();
    upload_to_sets(stream, children_, children);
    upload_to_sets(stream, parents_, parents);
    upload_to_sets(stream, leaf_parents_, leaf_parents);
  }

  // Each value is written or given, and read once; so are links and counters.
  uint64_t bytes_moved() const override {
    const uint64_t nodes = problem_.count + inner_;
    return (nodes + inner_) * support::bytes(problem_.type) + (nodes + 4 * inner_) * sizeof(uint32_t);
  }
  void poison(Stream& stream) const override { poison_region(stream, outputs_.all()); }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {.leaves = leaves_[set],
                            .children = children_[set],
                            .parents = parents_[set],
                            .leaf_parents = leaf_parents_[set],
                            .output = outputs_[set],
                            .count = problem_.count,
                            .inner_count = inner_,
                            .temporary = temporary_});
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    return support::visit_element_type(problem_.type, [&](auto t) -> std::optional<std::string> {
      using T = typename decltype(t)::type;
      std::vector<T> wanted(inner_ + problem_.count);
      for (uint64_t i = 0; i < problem_.count; ++i) wanted[inner_ + i] = random_element<T>(problem_.seed, i);
      for (uint64_t i = inner_; i-- > 0;) wanted[i] = T(wanted[2 * i + 1] + wanted[2 * i + 2]);
      const std::vector<T> got = stream.download(View<T>(outputs_[set]));
      for (uint64_t i = 0; i < inner_; ++i) {
        if (got[i] != wanted[i]) return "the sum of node " + std::to_string(i) + " is wrong";
      }
      return std::nullopt;
    });
  }

 private:
  uint32_t reference(uint64_t node) const {
    return node < inner_ ? uint32_t(node) : tree::leaf + uint32_t(node - inner_);
  }
  static uint32_t parent(uint64_t node) { return node == 0 ? tree::none : uint32_t((node - 1) / 2); }

  Problem problem_;
  uint64_t inner_;
  TreeReduce plan_;
  Sets leaves_, children_, parents_, leaf_parents_, outputs_;
  Buffer<std::byte> temporary_;
};

uint64_t tree_and_values(uint32_t element_bytes, uint64_t count) { return (2 * element_bytes + 16) * count; }

}  // namespace

std::span<const Benchmark> benchmarks_of_tree_reduce() {
  static constexpr Benchmark rows[] = {
      {"tree-reduce", "", true, "sums up a binary tree with a leaf for each element", tree_and_values,
       prepare<TreeReduceCase>},
  };
  return rows;
}

}  // namespace weft::bench
