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
