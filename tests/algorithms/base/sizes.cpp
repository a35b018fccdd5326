#include "tests/algorithms/base/sizes.h"

#include <set>

#include "algorithms/src/base/device_traits.h"
#include "algorithms/src/sort/merge_pass.h"
#include "algorithms/src/sort/radix_shape.h"

namespace weft::test {

std::vector<uint64_t> interesting_counts(const Device& device) {
  std::set<uint64_t> counts{0, 1, 2, 3, 5, 7, 97, 1009, 10007, 65537};
  const auto around = [&](uint64_t boundary) { counts.insert({boundary - 1, boundary, boundary + 1}); };
  around(device.info().limits.subgroup_size);
  around(device.info().limits.max_workgroup_invocations);
  // Powers of two cover subgroups, workgroups, and tiles with a power of two of items for each invocation. The others
  // cover tiles of 3, 5, 6 and 7 items.
  for (uint64_t boundary = 4; boundary <= 32768; boundary *= 2) around(boundary);
  for (const uint64_t items : {3, 5, 6, 7, 12, 24, 48}) around(256 * items);
  around(3 * 4096);
  around(5 * 16384);
  if (!computes_on_cpu(device)) {
    counts.insert({(1 << 18) + 7, 1000003});
    // Tiles that only GPUs have: 22 keys for each of 512 invocations, and the same number for 256.
    for (const uint64_t items : {17, 23, 40, 44}) {
      for (const uint64_t workgroup : {64, 128, 256, 512}) around(workgroup * items);
    }
  }
  // If each lane is a fiber, tests of few and of large counts cover more tiles.
  const bool is_fiber = computes_on_cpu(device) && device.info().backend != "vulkan";
  if (is_fiber) counts.erase(counts.upper_bound(40000), counts.end());
  return {counts.begin(), counts.end()};
}

std::vector<uint64_t> few_counts(const Device& device) {
  const uint64_t subgroup = device.info().limits.subgroup_size;
  return {0, 1, subgroup + 1, 257, 4095, 4097, 30011};
}

uint64_t least_workgroup(const Device& device) { return std::max(64u, algorithms::subgroup_sizes(device.info()).most); }

uint64_t sort_tile_elements(const Device& device) {
  const algorithms::Tuner tuner(algorithms::tuned_sort, device.info(), device.options().tuning, 4);
  return algorithms::make_radix_shape(device.info(), {.key_bytes = 4}, tuner.at(many)).tiling.elements();
}

algorithms::Tiling merge_tiling(const Device& device,
                                const algorithms::TunedPrimitive<algorithms::MergeTuning>& primitive, bool values) {
  const Element word = Element::of<uint32_t>();
  const algorithms::Tuner tuner(primitive, device.info(), device.options().tuning, word.bytes());
  const auto serial = algorithms::MergePass::serial_tiling(device.info(), word, values, tuner.at(many));
  if (serial) return *serial;
  const uint32_t shared_words = algorithms::shared_words(word, values);
  return algorithms::make_item_tiling(primitive.name, device.info(), word, shared_words, tuner.at(many).tile);
}

std::vector<uint64_t> around_tiles(uint64_t elements) {
  std::vector<uint64_t> counts;
  for (const uint64_t tiles : {1, 2}) {
    for (const uint64_t count : {tiles * elements - 1, tiles * elements, tiles * elements + 1}) counts.push_back(count);
  }
  return counts;
}

std::vector<uint64_t> tile_counts(const Device& device, uint64_t elements) {
  std::vector<uint64_t> counts = around_tiles(elements);
  if (!computes_on_cpu(device)) counts.insert(counts.end(), {uint64_t(1) << 24, elements * elements});
  return counts;
}

uint64_t large_count(const Device& device) { return computes_on_cpu(device) ? (1 << 20) + 3 : (uint64_t(1) << 26) + 3; }

}  // namespace weft::test
