#include <weft/histogram.h>

#include <array>
#include <limits>

#include "bench/benchmark.h"
#include "bench/set_bytes.h"
#include "bench/sets.h"
#include "support/text.h"

namespace weft::bench {
namespace {

// Equal bins over all of random_element()'s values.
Bins even_bins(support::ScalarType type, uint32_t count) {
  return support::visit_sample_type(type, [&](auto t) {
    using T = typename decltype(t)::type;
    if constexpr (std::is_floating_point_v<T>) return Bins::even(count, 0, 1);
    return Bins::even(count, double(std::numeric_limits<T>::lowest()), double(std::numeric_limits<T>::max()) + 1);
  });
}

Element sample_element(support::ScalarType type) {
  return support::visit_sample_type(type, [](auto t) { return Element::of<typename decltype(t)::type>(); });
}

class HistogramCase : public Case {
 public:
  // `same`: all samples in one bin.
  HistogramCase(const Problem& problem, uint32_t bins, bool same)
      : problem_(problem),
        bins_(even_bins(problem.type, bins)),
        same_(same),
        plan_(problem.device, sample_element(problem.type), bins_, problem.count, {.tuning = problem.tuning}),
        inputs_(random_inputs(problem)),
        outputs_(problem.device, bins * sizeof(uint32_t), problem.sets) {
    if (!same) return;
    Stream stream = problem.device.stream();
    constexpr std::array<std::byte, 4> zero{};
    stream.fill_region(inputs_.all(), zero);
    stream.synchronize();
  }

  uint64_t bytes_moved() const override { return problem_.count * support::bytes(problem_.type); }
  std::string variant() const override {
    return std::to_string(bins_.count) + " bins" + (same_ ? ", all in one" : "") +
           (plan_.in_workgroup_memory() ? "" : ", in device memory");
  }
  void poison(Stream& stream) const override { poison_region(stream, outputs_.all()); }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder,
                 {.input = inputs_[set], .edges = {}, .weights = {}, .output = outputs_[set], .count = problem_.count});
  }

  std::optional<PeerWork> peer_work() const override {
    return PeerWork{.row = "histogram",
                    .inputs = {{to_string(problem_.type), inputs_[0]}},
                    .outputs = {{"u32", outputs_[0]}},
                    .bins = bins_.count,
                    .lower = bins_.lower,
                    .upper = bins_.upper};
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    std::vector<uint32_t> expected(bins_.count);
    support::visit_sample_type(problem_.type, [&](auto t) {
      using T = typename decltype(t)::type;
      for (uint64_t i = 0; i < problem_.count; ++i) {
        const double x = same_ ? 0 : double(random_element<T>(problem_.seed, i));
        ++expected[size_t((x - bins_.lower) / (bins_.upper - bins_.lower) * bins_.count)];  // exact: powers of two
      }
    });
    const std::vector<uint32_t> got = stream.download(View<uint32_t>(outputs_[set]));
    for (size_t bin = 0; bin < got.size(); ++bin) {
      if (got[bin] == expected[bin]) continue;
      return "bin " + std::to_string(bin) + " has " + support::format_count(got[bin]) + " samples, expected " +
             support::format_count(expected[bin]);
    }
    return std::nullopt;
  }

 private:
  Problem problem_;
  Bins bins_;
  bool same_;
  Histogram plan_;
  Sets inputs_, outputs_;
};

}  // namespace

std::span<const Benchmark> benchmarks_of_histogram() {
  static constexpr Benchmark rows[] = {
      {"histogram", "", true, "256 even bins", input_only, prepare<HistogramCase, 256, false>, Takes::samples},
      {"histogram", "one-bin", false, "256 even bins, all samples in one of them", input_only,
       prepare<HistogramCase, 256, true>, Takes::samples},
      {"histogram", "4096", false, "4096 even bins", input_only, prepare<HistogramCase, 4096, false>, Takes::samples},
      {"histogram", "2^20", false, "2^20 even bins", input_only, prepare<HistogramCase, 1 << 20, false>,
       Takes::samples},
  };
  return rows;
}

}  // namespace weft::bench
