#pragma once

#include <cstdint>
#include <vector>

#include "test.h"

namespace weft::test {

/// Counts of elements to try: none, one, around every subgroup, workgroup and tile boundary, odd ones and primes. Ends
/// with the largest.
std::vector<uint64_t> interesting_counts(const Device& device);

/// A few of them, for variants of what has been tried on all.
std::vector<uint64_t> few_counts(const Device& device);

/// A count of many tiles: 2^20 + 3, and more on a GPU.
uint64_t large_count(const Device& device);

}  // namespace weft::test
