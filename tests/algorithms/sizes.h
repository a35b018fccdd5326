#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/src/base/tiling.h"
#include "algorithms/src/base/tuning.h"
#include "algorithms/src/sort/merge_tuning.h"
#include "test.h"

namespace weft::test {

/// Counts of elements to try: none, one, around every subgroup, workgroup and tile boundary, odd ones and primes. Ends
/// with the largest.
std::vector<uint64_t> interesting_counts(const Device& device);

/// A few of them, for variants of what has been tried on all.
std::vector<uint64_t> few_counts(const Device& device);

/// Invocations of the smallest workgroup that tiles have: full subgroups of any size that the device has.
uint64_t least_workgroup(const Device& device);

/// Plans for so many elements of 4 bytes, and for more, have tiles of one size. Those for fewer may have smaller ones.
constexpr uint64_t many = (1 << 20) + 1;

/// Elements of 4 bytes in a tile of `primitive`, whose tiling is that of make_tiling(), in plans for many.
template <class Values>
uint64_t tile_elements(const Device& device, const algorithms::TunedPrimitive<Values>& primitive,
                       const std::optional<Tuning>& tuning = {}) {
  const Element word = Element::of<uint32_t>();
  const algorithms::Tuner tuner(primitive, device.info(), algorithms::tuning_of(device, tuning), word.bytes());
  return algorithms::make_tiling(device.info(), word, tuner.at(many).tile).elements();
}

/// Keys of 4 bytes without values that a tile of a radix sort's passes has in plans for many.
uint64_t sort_tile_elements(const Device& device);

/// The tile of 4-byte elements, with 4-byte values if there are `values`, in plans of a merging primitive for many.
algorithms::Tiling merge_tiling(const Device& device,
                                const algorithms::TunedPrimitive<algorithms::MergeTuning>& primitive,
                                bool values = false);

/// Around one and two tiles of so many elements.
std::vector<uint64_t> around_tiles(uint64_t elements);

/// As above; on a GPU also 2^24, and as many tiles as a tile has elements.
std::vector<uint64_t> tile_counts(const Device& device, uint64_t elements);

/// A count of many tiles: 2^20 + 3, and more on a GPU.
uint64_t large_count(const Device& device);

}  // namespace weft::test
