#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "test.h"

namespace weft::test {

/// Counts of elements to try: none, one, around every subgroup, workgroup and tile boundary, odd ones and primes. Ends
/// with the largest.
std::vector<uint64_t> interesting_counts(const Device& device);

/// A few of them, for variants of what has been tried on all.
std::vector<uint64_t> few_counts(const Device& device);

/// Elements of 4 bytes that a tile of `primitive` has on the device, where it has the tiling of make_tiling().
uint64_t tile_elements(const Device& device, const std::string& primitive);

/// Keys of 4 bytes without values that a tile of a radix sort's passes has.
uint64_t sort_tile_elements(const Device& device);

/// Elements of 4 bytes without values that a tile of `primitive`, which merges, has in plans for up to `max_count`.
uint64_t merge_tile_elements(const Device& device, const std::string& primitive, uint64_t max_count);

/// Around one and two tiles of so many elements.
std::vector<uint64_t> around_tiles(uint64_t elements);

/// As above; on a GPU also 2^24, and as many tiles as a tile has elements.
std::vector<uint64_t> tile_counts(const Device& device, uint64_t elements);

/// A count of many tiles: 2^20 + 3, and more on a GPU.
uint64_t large_count(const Device& device);

}  // namespace weft::test
