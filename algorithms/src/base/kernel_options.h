#pragma once

#include <cstdint>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/tiling.h"

namespace weft::algorithms {

/// Bits of the `options` word in the kernels' push constants. Mirrors shaders/kernels/base/options.glsl.
enum KernelOption : uint32_t {
  source_vectors = 1,
  destination_vectors = 2,
  flags_vectors = 4,
  count_on_device = 8,
  second_count_on_device = 16,
  count_is_word = 32,
  second_count_is_word = 64,
  written_count_is_word = 128,
};

/// `option` if a kernel with this tiling can access the region in vectors, else 0.
inline uint32_t vectors(const Tiling& tiling, const Region& region, KernelOption option) {
  return tiling.vectors() && region.address() % 16 == 0 ? uint32_t{option} : 0u;
}

/// As above for inputs of a transform, of `bytes` bytes each.
inline uint32_t vectors_of(const Tiling& tiling, uint32_t bytes, const Region& region, KernelOption option) {
  return tiling.pack * bytes % 16 == 0 && region.address() % 16 == 0 ? uint32_t{option} : 0u;
}

/// Where the kernel finds a count: count_on_device and count_is_word, or 0 for a number.
inline uint32_t count_option(const ResolvedCount& count) {
  return (count.on_device() ? uint32_t{count_on_device} : 0u) | (count.is_word ? uint32_t{count_is_word} : 0u);
}

/// The same for a kernel's second count.
inline uint32_t second_count_option(const ResolvedCount& count) {
  return (count.on_device() ? uint32_t{second_count_on_device} : 0u) |
         (count.is_word ? uint32_t{second_count_is_word} : 0u);
}

/// written_count_is_word for counts of 32 bits, else 0.
inline uint32_t written_option(const CountOutput& counts) {
  return counts.bytes() == sizeof(uint32_t) ? uint32_t{written_count_is_word} : 0u;
}

}  // namespace weft::algorithms
