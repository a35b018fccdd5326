#include <weft/split.h>

#include <array>

#include "bench/benchmark.h"
#include "bench/cases/selected_check.h"
#include "bench/set_bytes.h"
#include "bench/sets.h"
#include "support/text.h"

namespace weft::bench {
namespace {

// Three ways: a half and two quarters. Overlapping: about half to each, and every eighth of the second half to both.
class SplitCase : public Case {
 public:
  SplitCase(const Problem& problem, bool three)
      : problem_(problem),
        three_(three),
        plan_(problem.device, support::element_of(problem.type), sides(problem, three), problem.count,
              {.tuning = problem.tuning}),
        counts_on_host_(count_sides(problem, three)),
        inputs_(random_inputs(problem)),
        first_(problem.device, problem.count * support::bytes(problem.type), problem.sets),
        second_(problem.device, problem.count * support::bytes(problem.type), problem.sets),
        third_(problem.device, three ? problem.count * support::bytes(problem.type) : 0, problem.sets),
        counts_(problem.device, outputs() * sizeof(uint64_t), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {}

  uint64_t bytes_moved() const override {
    return (problem_.count + counts_on_host_[0] + counts_on_host_[1] + counts_on_host_[2]) *
           support::bytes(problem_.type);
  }
  void poison(Stream& stream) const override {
    for (const Sets* sets : {&first_, &second_, &third_, &counts_}) poison_region(stream, sets->all());
  }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {.input = inputs_[set],
                            .first = first_[set],
                            .second = second_[set],
                            .third = three_ ? third_[set] : Region{},
                            .counts = counts_[set],
                            .count = problem_.count,
                            .temporary = temporary_});
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    const std::vector<uint64_t> counts = stream.download(View<uint64_t>(counts_[set]));
    for (uint32_t side = 0; side < outputs(); ++side) {
      if (counts[side] != counts_on_host_[side])
        return "output " + std::to_string(side) + " has " + support::format_count(counts[side]) +
               " elements, expected " + support::format_count(counts_on_host_[side]);
    }
    return support::visit_element_type(problem_.type, [&](auto t) -> std::optional<std::string> {
      using T = typename decltype(t)::type;
      for (uint32_t side = 0; side < outputs(); ++side) {
        const Sets& output = side == 0 ? first_ : side == 1 ? second_ : third_;
        const auto belongs = [&](T x, uint64_t i) { return belongs_to(is_kept(x), i, side, three_); };
        if (auto wrong = check_selected<T>(stream, problem_, output[set].part(0, counts[side] * sizeof(T)),
                                           "output " + std::to_string(side) + ": element", belongs)) {
          return wrong;
        }
      }
      return std::nullopt;
    });
  }

 private:
  static Sides sides(const Problem& problem, bool three) {
    const std::string kept = kept_expression(problem.type);
    return three ? Sides::three_way(kept, "(i & 1u) == 0u")
                 : Sides::overlapping(kept + " || (i & 7u) == 0u", "!(" + kept + ")");
  }
  // The host's version of sides().
  static bool belongs_to(bool kept, uint64_t i, uint32_t side, bool three) {
    if (three) return side == (kept ? 0 : i % 2 == 0 ? 1 : 2);
    return side == 0 ? kept || i % 8 == 0 : !kept;
  }
  static std::array<uint64_t, 3> count_sides(const Problem& problem, bool three) {
    return support::visit_element_type(problem.type, [&](auto t) {
      std::array<uint64_t, 3> counts{};
      for (uint64_t i = 0; i < problem.count; ++i) {
        const bool kept = is_kept(random_element<typename decltype(t)::type>(problem.seed, i));
        for (uint32_t side = 0; side < (three ? 3 : 2); ++side) counts[side] += belongs_to(kept, i, side, three);
      }
      return counts;
    });
  }
  uint32_t outputs() const { return three_ ? 3 : 2; }

  Problem problem_;
  bool three_;
  Split plan_;
  std::array<uint64_t, 3> counts_on_host_;
  Sets inputs_, first_, second_, third_, counts_;
  Buffer<std::byte> temporary_;
};

uint64_t input_and_three_outputs(uint32_t element_bytes, uint64_t count) { return 4 * element_bytes * count; }

}  // namespace

std::span<const Benchmark> benchmarks_of_split() {
  static constexpr Benchmark rows[] = {
      {"split", "three-way", true, "into three arrays", input_and_three_outputs, prepare<SplitCase, true>},
      {"split", "overlapping", true, "into two arrays, a sixteenth into both", input_and_two_outputs,
       prepare<SplitCase, false>},
  };
  return rows;
}

}  // namespace weft::bench
