#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/src/base/tiling.h"
#include "algorithms/src/base/tuning.h"
#include "algorithms/src/sort/merge_tuning.h"
#include "tests/support/test.h"

namespace weft::test {

/// Counts of elements to test: none, one, around every subgroup, workgroup and tile boundary, odd numbers and primes.
/// Ends with the largest.
std::vector<uint64_t> interesting_counts(const Device& device);

/// A few of these, for variants of what is tested on all.
std::vector<uint64_t> few_counts(const Device& device);

/// Invocations of the smallest workgroup of tiles: full subgroups of any size that the device has.
uint64_t least_workgroup(const Device& device);

/// Plans for at least this many 4-byte elements have tiles of one size. Plans for fewer may have smaller tiles.
constexpr uint64_t many = (1 << 20) + 1;

/// 4-byte elements in a tile of `primitive` in plans for many, if it uses make_tiling() or make_serial_tiling().
template <class Values>
uint64_t tile_elements(const Device& device, const algorithms::TunedPrimitive<Values>& primitive,
                       const std::optional<Tuning>& tuning = {}) {
  const Element word = Element::of<uint32_t>();
  const algorithms::Tuner tuner(primitive, device.info(), algorithms::tuning_of(device, tuning), word.bytes());
  const Values values = tuner.at(many);
  if constexpr (requires { values.serial_bytes; }) {
    if (values.serial_bytes > 0) return algorithms::make_serial_tiling(word, nullptr, values.serial_bytes).elements();
  }
  return algorithms::make_tiling(device.info(), word, values.tile).elements();
}

/// 4-byte keys, without values, in a tile of a radix sort's passes in plans for many.
uint64_t sort_tile_elements(const Device& device);

/// The tile of a merging `primitive` in plans for many, for 4-byte elements and 4-byte values, if any.
algorithms::Tiling merge_tiling(const Device& device,
                                const algorithms::TunedPrimitive<algorithms::MergeTuning>& primitive,
                                bool values = false);

/// Around one and two tiles of so many elements.
std::vector<uint64_t> around_tiles(uint64_t elements);

/// As above; on a GPU also 2^24, and as many tiles as a tile has elements, so that totals fill a tile.
std::vector<uint64_t> tile_counts(const Device& device, uint64_t elements);

/// A count of many tiles: 2^20 + 3, and more on a GPU.
uint64_t large_count(const Device& device);

}  // namespace weft::test
