#pragma once

// Checks of histograms against a histogram on the CPU.

#include <algorithm>
#include <functional>

#include <weft/histogram.h>

#include "tests/algorithms/base/device_counts.h"
#include "tests/algorithms/base/elements.h"

namespace weft::test {

/// The bin of a sample, or -1, for the samples of each channel.
template <typename T>
using BinOf = std::function<int64_t(T x, uint32_t channel)>;

template <typename T>
constexpr bool is_float = std::is_floating_point_v<T> || std::is_same_v<T, Half>;

__extension__ typedef __int128 Wide;

template <typename T>
int64_t even_bin(const Bins& bins, T x) {
  if constexpr (is_float<T>) {
    if (bins.closed && float(x) == float(bins.upper)) return bins.count - 1;
    if (!(float(x) >= float(bins.lower) && float(x) < float(bins.upper))) return -1;
    const float scaled = (float(x) - float(bins.lower)) * float(bins.count / (bins.upper - bins.lower));
    return std::min<int64_t>(int64_t(scaled), bins.count - 1);
  } else {
    const auto lower = Wide(bins.lower), upper = Wide(bins.upper);
    if (bins.closed && x == upper) return bins.count - 1;
    if (x < lower || x >= upper) return -1;
    return int64_t((x - lower) * bins.count / (upper - lower));
  }
}

/// Layout in memory of the arguments of a histogram.
struct Placement {
  uint64_t input_misalignment = 0;
  bool count_on_device = false;
};

template <typename T>
struct Setup {
  Bins bins;
  Histogram::Options options = {};
  std::vector<T> edges = {};
  BinOf<T> bin_of;

  uint32_t counted() const { return options.counted ? options.counted : options.channels; }
};

template <typename T>
std::vector<uint64_t> reference(const Setup<T>& setup, const std::vector<T>& samples,
                                const std::vector<uint32_t>& weights, uint64_t count) {
  std::vector<uint64_t> counts(uint64_t(setup.bins.count) * setup.counted());
  const uint32_t channels = setup.options.channels;
  for (uint64_t i = 0; i < count * channels; ++i) {
    const auto channel = uint32_t(i % channels);
    if (channel >= setup.counted()) continue;
    const int64_t bin = setup.bin_of(samples[i], channel);
    if (bin >= 0) counts[channel * setup.bins.count + bin] += weights.empty() ? 1 : weights[i / channels];
  }
  return counts;
}

template <typename T>
void check_histogram(Stream& stream, const Histogram& plan, const Setup<T>& setup, const std::vector<T>& samples,
                     uint64_t count, std::mt19937_64& generator, const Placement& placement = {}) {
  INFO("items: ", count, ", channels: ", setup.options.channels, ", bins: ", setup.bins.count, ", input misaligned by ",
       placement.input_misalignment, ", count on device: ", placement.count_on_device);
  const Device device = stream.device();
  const std::vector<uint32_t> weights =
      setup.options.weighted ? random_elements<uint32_t>(count, generator) : std::vector<uint32_t>();
  const std::vector<uint64_t> expected = reference(setup, samples, weights, count);
  const Guarded<T> input(device, stream, samples, generator, placement.input_misalignment);
  const Guarded<T> edges(device, stream, setup.edges, generator, sizeof(T));
  const Guarded<uint32_t> weight_words(device, stream, weights, generator, 4);
  const uint32_t words = setup.options.wide ? 2 : 1;
  const Guarded<uint32_t> output(device, stream, expected.size() * words, generator, 8);
  const DeviceCounts count_word(stream, std::vector{count}, generator);
  plan.record(stream, {.input = input,
                       .edges = setup.edges.empty() ? Region() : Region(edges),
                       .weights = setup.options.weighted ? Region(weight_words) : Region(),
                       .output = output,
                       .count = placement.count_on_device ? Count(count_word) : Count(count)});
  const std::vector<uint32_t> got = output.read(stream);
  std::vector<uint64_t> counts(expected.size()), wanted = expected;
  for (size_t i = 0; i < counts.size(); ++i) {
    counts[i] = words == 2 ? got[2 * i] | uint64_t(got[2 * i + 1]) << 32 : got[i];
    if (words == 1) wanted[i] = uint32_t(wanted[i]);
  }
  check_same(counts, wanted, "the counts");
  check_same(input.read(stream), samples, "the samples afterwards");
}

template <typename T>
Setup<T> even_setup(uint32_t count, double lower, double upper, const Histogram::Options& options = {}) {
  const Bins bins = Bins::even(count, lower, upper);
  return {bins, options, {}, [bins](T x, uint32_t) { return even_bin(bins, x); }};
}

}  // namespace weft::test
