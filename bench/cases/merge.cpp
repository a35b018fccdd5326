#include <weft/merge.h>
#include <weft/merge_sort.h>

#include "bench/cases.h"
#include "bench/cases/sorted_check.h"
#include "bench/sets.h"

namespace weft::bench {
namespace {

class MergeCase : public Case {
 public:
  explicit MergeCase(const Problem& problem)
      : problem_(problem),
        plan_(problem.device, tools::element_of(problem.type), Comparison::ascending(), problem.count),
        inputs_(random_inputs(problem)),
        outputs_(problem.device, problem.count * tools::bytes(problem.type), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {
    Stream stream = problem.device.stream();
    for (uint32_t set = 0; set < problem.sets; ++set) {
      for (const Region& half : {first(set), second(set)}) {
        merge_sort(stream, tools::element_of(problem.type), Comparison::ascending(), half, half);
      }
    }
    stream.synchronize();
  }

  uint64_t bytes_moved() const override { return 2 * problem_.count * tools::bytes(problem_.type); }
  void poison(Stream& stream) const override { poison_region(stream, outputs_.all()); }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {.first = {first(set), {}, first_count()},
                            .second = {second(set), {}, problem_.count - first_count()},
                            .output = outputs_[set],
                            .output_values = {},
                            .temporary = temporary_});
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    return check_sorted(stream, problem_, outputs_[set]);
  }

 private:
  uint64_t first_count() const { return problem_.count / 2; }
  Region first(uint32_t set) const { return inputs_[set].part(0, first_count() * tools::bytes(problem_.type)); }
  Region second(uint32_t set) const {
    const uint64_t bytes = tools::bytes(problem_.type);
    return inputs_[set].part(first_count() * bytes, (problem_.count - first_count()) * bytes);
  }

  Problem problem_;
  Merge plan_;
  Sets inputs_, outputs_;
  Buffer<std::byte> temporary_;
};

class MergeSortCase : public Case {
 public:
  explicit MergeSortCase(const Problem& problem)
      : problem_(problem),
        plan_(problem.device, tools::element_of(problem.type), Comparison::ascending(), problem.count),
        inputs_(random_inputs(problem)),
        outputs_(problem.device, problem.count * tools::bytes(problem.type), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {}

  uint64_t bytes_moved() const override { return 2 * problem_.count * tools::bytes(problem_.type); }
  void poison(Stream& stream) const override { poison_region(stream, outputs_.all()); }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {.input = inputs_[set],
                            .input_values = {},
                            .output = outputs_[set],
                            .output_values = {},
                            .count = problem_.count,
                            .temporary = temporary_});
  }

  std::optional<PeerWork> peer_work() const override {
    const std::string type = to_string(problem_.type);
    return PeerWork{.row = "merge_sort", .inputs = {{type, inputs_[0]}}, .outputs = {{type, outputs_[0]}}};
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    return check_sorted(stream, problem_, outputs_[set]);
  }

 private:
  Problem problem_;
  MergeSort plan_;
  Sets inputs_, outputs_;
  Buffer<std::byte> temporary_;
};

}  // namespace

std::unique_ptr<Case> prepare_merge(const Problem& problem) { return std::make_unique<MergeCase>(problem); }
std::unique_ptr<Case> prepare_merge_sort(const Problem& problem) { return std::make_unique<MergeSortCase>(problem); }

}  // namespace weft::bench
