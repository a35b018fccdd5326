#include <weft/merge.h>

#include <weft/merge_sort.h>

#include "bench/benchmark.h"
#include "bench/cases/sorted_check.h"
#include "bench/set_bytes.h"
#include "bench/sets.h"

namespace weft::bench {
namespace {

class MergeCase : public Case {
 public:
  explicit MergeCase(const Problem& problem)
      : problem_(problem),
        plan_(problem.device, support::element_of(problem.type), Comparison::ascending(), problem.count,
              {.tuning = problem.tuning}),
        inputs_(random_inputs(problem)),
        outputs_(problem.device, problem.count * support::bytes(problem.type), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {
    Stream stream = problem.device.stream();
    for (uint32_t set = 0; set < problem.sets; ++set) {
      for (const Region& half : {first(set), second(set)}) {
        merge_sort(stream, support::element_of(problem.type), Comparison::ascending(), half, half);
      }
    }
    stream.synchronize();
  }

  uint64_t bytes_moved() const override { return 2 * problem_.count * support::bytes(problem_.type); }
  void poison(Stream& stream) const override { poison_region(stream, outputs_.all()); }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {.first = {first(set), {}, first_count()},
                            .second = {second(set), {}, problem_.count - first_count()},
                            .output = outputs_[set],
                            .output_values = {},
                            .temporary = temporary_});
  }

  std::optional<PeerWork> peer_work() const override {
    const std::string type = to_string(problem_.type);
    return PeerWork{.row = "merge", .inputs = {{type, first(0)}, {type, second(0)}}, .outputs = {{type, outputs_[0]}}};
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    return check_sorted(stream, problem_, outputs_[set]);
  }

 private:
  uint64_t first_count() const { return problem_.count / 2; }
  Region first(uint32_t set) const { return inputs_[set].part(0, first_count() * support::bytes(problem_.type)); }
  Region second(uint32_t set) const {
    const uint64_t bytes = support::bytes(problem_.type);
    return inputs_[set].part(first_count() * bytes, (problem_.count - first_count()) * bytes);
  }

  Problem problem_;
  Merge plan_;
  Sets inputs_, outputs_;
  Buffer<std::byte> temporary_;
};

class MergeSortCase : public Case {
 public:
  MergeSortCase(const Problem& problem, bool pairs)
      : problem_(problem),
        plan_(problem.device, support::element_of(problem.type), Comparison::ascending(), problem.count,
              {.values = pairs ? std::optional(Element::of<uint32_t>()) : std::nullopt, .tuning = problem.tuning}),
        inputs_(random_inputs(problem)),
        outputs_(problem.device, problem.count * support::bytes(problem.type), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {
    if (!pairs) return;
    values_.emplace(index_inputs(problem));
    values_out_.emplace(problem.device, problem.count * sizeof(uint32_t), problem.sets);
  }

  uint64_t bytes_moved() const override {
    return 2 * problem_.count * (support::bytes(problem_.type) + (values_ ? sizeof(uint32_t) : 0));
  }
  void poison(Stream& stream) const override {
    poison_region(stream, outputs_.all());
    if (values_out_) poison_region(stream, values_out_->all());
  }

  void record(Recorder& recorder, uint32_t set) const override {
    const auto of = [&](const std::optional<Sets>& sets) { return sets ? (*sets)[set] : Region{}; };
    plan_.record(recorder, {.input = inputs_[set],
                            .input_values = of(values_),
                            .output = outputs_[set],
                            .output_values = of(values_out_),
                            .count = problem_.count,
                            .temporary = temporary_});
  }

  std::optional<PeerWork> peer_work() const override {
    const std::string type = to_string(problem_.type);
    PeerWork work{.row = "merge_sort", .inputs = {{type, inputs_[0]}}, .outputs = {{type, outputs_[0]}}};
    if (values_) {
      work.row = "merge_sort_pairs";
      work.inputs.push_back({"u32", (*values_)[0]});
      work.outputs.push_back({"u32", (*values_out_)[0]});
    }
    return work;
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    return values_ ? check_sorted_pairs(stream, problem_, outputs_[set], (*values_out_)[set])
                   : check_sorted(stream, problem_, outputs_[set]);
  }

 private:
  Problem problem_;
  MergeSort plan_;
  Sets inputs_, outputs_;
  std::optional<Sets> values_, values_out_;
  Buffer<std::byte> temporary_;
};

}  // namespace

std::span<const Benchmark> benchmarks_of_merge() {
  static constexpr Benchmark rows[] = {
      {"merge", "", true, "two sorted halves into one sequence", input_and_output, prepare<MergeCase>},
      {"merge-sort", "keys", true, "stable sort by a comparison", input_and_two_outputs, prepare<MergeSortCase, false>},
      {"merge-sort", "pairs", true, "the same with 32-bit values", keys_and_values_three_times,
       prepare<MergeSortCase, true>},
  };
  return rows;
}

}  // namespace weft::bench
