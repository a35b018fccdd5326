#include <weft/tile_sort.h>

#include "bench/benchmark.h"
#include "bench/cases/sorted_check.h"
#include "bench/cases/tile_sort.h"
#include "bench/set_bytes.h"

namespace weft::bench {
namespace {

class TileSortCase : public Case {
 public:
  TileSortCase(const Problem& problem, SortingNetwork network)
      : problem_(problem),
        plan_(problem.device, support::element_of(problem.type), Comparison::ascending(), tile_sort_length,
              problem.count, {.network = network, .tuning = problem.tuning}),
        inputs_(random_inputs(problem)),
        outputs_(problem.device, problem.count * support::bytes(problem.type), problem.sets) {}

  uint64_t bytes_moved() const override { return 2 * problem_.count * support::bytes(problem_.type); }
  void poison(Stream& stream) const override { poison_region(stream, outputs_.all()); }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {.input = inputs_[set],
                            .input_values = {},
                            .output = outputs_[set],
                            .output_values = {},
                            .count = problem_.count});
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    return support::visit_element_type(problem_.type, [&](auto t) {
      using T = typename decltype(t)::type;
      // A chunk has whole runs, except for the last one.
      return check_in_chunks<T>(stream, outputs_[set], [&](uint64_t first, std::span<const T> got) {
        std::optional<std::string> wrong;
        for (size_t i = 0; i < got.size() && !wrong; i += tile_sort_length) {
          const auto run = got.subspan(i, std::min<size_t>(tile_sort_length, got.size() - i));
          SortedCheck<T> check(problem_.seed, first + i, run.size());
          wrong = check.check(0, run);
          if (!wrong) wrong = check.end();
          if (wrong) wrong = "the run at " + std::to_string(first + i) + ": " + *wrong;
        }
        return wrong;
      });
    });
  }

 private:
  Problem problem_;
  TileSort plan_;
  Sets inputs_, outputs_;
};

}  // namespace

std::span<const Benchmark> benchmarks_of_tile_sort() {
  static constexpr Benchmark rows[] = {
      {"tile-sort", "odd-even", true, "a sorting network for each run of 1024", input_and_output,
       prepare<TileSortCase, SortingNetwork::odd_even>},
      {"tile-sort", "bitonic", false, "the bitonic network", input_and_output,
       prepare<TileSortCase, SortingNetwork::bitonic>},
  };
  return rows;
}

}  // namespace weft::bench
