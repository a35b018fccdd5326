#include "algorithms/src/reduce/histogram_tuning.h"
#include "tests/algorithms/base/sizes.h"
#include "tests/algorithms/base/tuned.h"
#include "tests/algorithms/reduce/histogram_check.h"

using namespace weft;
using namespace weft::test;

DEVICE_TEST("histograms of many samples, spread, skewed, sorted and all in one bin") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("large histogram");
  const Setup<uint32_t> setup = even_setup<uint32_t>(256, 0, 4294967296.0, {.wide = true});
  const uint64_t count = large_count(device) / 4;
  const Histogram plan(device, Element::of<uint32_t>(), setup.bins, count, setup.options);
  CHECK(plan.in_workgroup_memory());
  std::vector<uint32_t> samples = random_elements<uint32_t>(count, generator);
  check_histogram(stream, plan, setup, samples, count, generator);
  std::sort(samples.begin(), samples.end());
  check_histogram(stream, plan, setup, samples, count, generator);
  for (uint32_t& x : samples) x = generator() % 8 == 0 ? x : 0x70000000;
  check_histogram(stream, plan, setup, samples, count, generator);
  check_histogram(stream, plan, setup, std::vector<uint32_t>(count, 0xFFFFFFFF), count, generator);
}

DEVICE_TEST("workgroups of a histogram take tiles in turn, or in a row") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("tiles of histograms");
  constexpr uint32_t channels = 3, groups = 4;
  for (const uint32_t consecutive : {0, 1}) {
    INFO("consecutive: ", consecutive);
    const Tuning tuning({tuned(algorithms::tuned_histogram, 4,
                               {.tile = {.workgroup = 64, .bytes_per_invocation = 16},
                                .counting = {.shared_bytes = 1024, .shared_copies = 2, .groups = groups},
                                .consecutive = consecutive})});
    const uint64_t tile = tile_elements(device, algorithms::tuned_histogram, tuning), round = groups * tile;
    for (const bool weighted : {false, true}) {
      const Setup<uint32_t> setup = even_setup<uint32_t>(
          7, 100, 4000000000, {.channels = channels, .weighted = weighted, .wide = true, .tuning = tuning});
      const Histogram plan(device, Element::of<uint32_t>(), setup.bins, round, setup.options);
      for (const uint64_t samples : {uint64_t(channels), round - tile, round, 2 * round - tile, channels * round}) {
        const uint64_t count = samples / channels;
        check_histogram(stream, plan, setup, random_elements<uint32_t>(count * channels + 13, generator), count,
                        generator, {.count_on_device = weighted});
      }
    }
  }
}

/// Setups that differ in what a sample's slot takes: a shift, a product, edges, a value of 8 bits; with samples
/// outside.
template <typename T>
std::vector<Setup<T>> setups_of_one_invocation(const Histogram::Options& options) {
  const double least = std::numeric_limits<T>::lowest(), most = std::numeric_limits<T>::max() + 1.0;
  std::vector<Setup<T>> setups{even_setup<T>(16, least, most, options),
                               even_setup<T>(100, least / 2 + 5, most / 2 + 3, options)};
  std::vector<T> edges;
  for (const uint32_t channel : {0, 1, 2}) {
    for (const uint32_t edge : {1, 3, 3, 6}) edges.push_back(T(least + edge * (most / 8) + channel));
  }
  edges.resize(4 * uint64_t(setups[0].counted()));
  setups.push_back({Bins::edges(3), options, edges, [edges](T x, uint32_t channel) -> int64_t {
                      const T* own = &edges[4 * uint64_t(channel)];
                      for (const int64_t bin : {0, 1, 2}) {
                        if (x >= own[bin] && x < own[bin + 1]) return bin;
                      }
                      return -1;
                    }});
  return setups;
}

DEVICE_TEST_OF_TYPES("one invocation counts the samples of a tile", uint32_t, int32_t, uint8_t, uint64_t) {
  need_element<T>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("serial histogram ") + TypeName<T>::value);
  constexpr uint64_t tile = 256;
  const Tuning tuning({tuned(algorithms::tuned_histogram, sizeof(T),
                             {.counting = {.shared_bytes = 4096, .shared_copies = 4, .groups = 3},
                              .serial_bytes = uint32_t(tile * sizeof(T))})});
  for (const Histogram::Options& options :
       {Histogram::Options{.tuning = tuning}, Histogram::Options{.channels = 3, .counted = 2, .tuning = tuning},
        Histogram::Options{.channels = 2, .weighted = true, .wide = true, .tuning = tuning}}) {
    for (const Setup<T>& setup : setups_of_one_invocation<T>(options)) {
      const Histogram plan(device, Element::of<T>(), setup.bins, 21 * tile, setup.options);
      CHECK(plan.in_workgroup_memory());
      for (const uint64_t count : {uint64_t(0), uint64_t(1), tile - 1, tile, tile + 1, 3 * tile, 20 * tile + 7}) {
        std::vector<T> samples = random_elements<T>(count * options.channels + 5, generator);
        check_histogram(stream, plan, setup, samples, count, generator,
                        {.input_misalignment = generator() % 8 * sizeof(T), .count_on_device = count % 2 == 1});
        std::ranges::fill(samples, T(77));
        check_histogram(stream, plan, setup, samples, count, generator);
      }
    }
  }
}
