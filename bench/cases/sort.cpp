#include <weft/sort.h>

#include "bench/benchmark.h"
#include "bench/cases/sorted_check.h"
#include "bench/set_bytes.h"
#include "bench/sets.h"

namespace weft::bench {
namespace {

constexpr uint32_t value_bytes = 4;

class SortCase : public Case {
 public:
  SortCase(const Problem& problem, bool pairs)
      : problem_(problem),
        plan_(pairs
                  ? Sort(problem.device, support::element_of(problem.type), Element::of<uint32_t>(), problem.count,
                         {.tuning = problem.tuning})
                  : Sort(problem.device, support::element_of(problem.type), problem.count, {.tuning = problem.tuning})),
        keys_(random_inputs(problem)),
        keys_out_(problem.device, problem.count * support::bytes(problem.type), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {
    if (!pairs) return;
    values_.emplace(index_inputs(problem));
    values_out_.emplace(problem.device, problem.count * value_bytes, problem.sets);
  }

  // One read to count all digits, then one read and write for each digit of 8 bits. In one workgroup: one read and
  // write.
  uint64_t bytes_moved() const override {
    const uint64_t key_bytes = support::bytes(problem_.type), item_bytes = key_bytes + (values_ ? value_bytes : 0);
    return problem_.count * (in_one_workgroup() ? 2 * item_bytes : key_bytes + 2 * key_bytes * item_bytes);
  }
  std::string variant() const override {
    return std::string(values_ ? "pairs, " : "keys, ") + (in_one_workgroup()                    ? "one workgroup"
                                                          : plan_.path() == TilePath::look_back ? "Onesweep"
                                                                                                : "count-scan-scatter");
  }
  void poison(Stream& stream) const override {
    poison_region(stream, keys_out_.all());
    if (values_out_) poison_region(stream, values_out_->all());
  }

  void record(Recorder& recorder, uint32_t set) const override {
    const auto of = [&](const std::optional<Sets>& sets) { return sets ? (*sets)[set] : Region{}; };
    plan_.record(recorder, {.keys = keys_[set],
                            .values = of(values_),
                            .keys_out = keys_out_[set],
                            .values_out = of(values_out_),
                            .count = problem_.count,
                            .temporary = temporary_});
  }

  std::optional<PeerWork> peer_work() const override {
    const std::string type = to_string(problem_.type);
    PeerWork work{.row = "sort_keys", .inputs = {{type, keys_[0]}}, .outputs = {{type, keys_out_[0]}}};
    if (values_) {
      work.row = "sort_pairs";
      work.inputs.push_back({"u32", (*values_)[0]});
      work.outputs.push_back({"u32", (*values_out_)[0]});
    }
    return work;
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    return values_ ? check_sorted_pairs(stream, problem_, keys_out_[set], (*values_out_)[set])
                   : check_sorted(stream, problem_, keys_out_[set]);
  }

 private:
  bool in_one_workgroup() const { return plan_.temporary_bytes() == 0; }

  Problem problem_;
  Sort plan_;
  Sets keys_, keys_out_;
  std::optional<Sets> values_, values_out_;
  Buffer<std::byte> temporary_;
};

}  // namespace

std::span<const Benchmark> benchmarks_of_sort() {
  static constexpr Benchmark rows[] = {
      {"sort", "keys", true, "radix sort of keys", input_and_two_outputs, prepare<SortCase, false>},
      {"sort", "pairs", true, "radix sort of keys with 32-bit values", keys_and_values_three_times,
       prepare<SortCase, true>},
  };
  return rows;
}

}  // namespace weft::bench
