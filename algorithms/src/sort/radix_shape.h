#pragma once

#include <cstdint>

#include <weft/device_info.h>
#include <weft/stream.h>

#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/tiling.h"
#include "algorithms/src/sort/radix_tuning.h"

namespace weft::algorithms {

/// Sizes of what is sorted, in bytes.
struct RadixElements {
  uint32_t key_bytes = 0;
  uint32_t value_bytes = 0;  ///< 0: keys only.

  uint32_t largest() const { return key_bytes > value_bytes ? key_bytes : value_bytes; }
  uint32_t both() const { return key_bytes + value_bytes; }
};

/// How a pass of a radix sort is divided: into tiles, with one key for each invocation and row, and digits. Mirrors
/// shaders/workgroup/rank_digits.glsl.
struct RadixShape {
  Tiling tiling;
  uint32_t digit_bits = 0;
  uint32_t lane_words = 0;          ///< 32-bit words of a mask of a subgroup's lanes.
  uint32_t memory_words = 0;        ///< WEFT_SORT_WORDS
  bool match_by_atomics = false;    ///< WEFT_MATCH_ATOMIC
  bool values_beside_keys = false;  ///< WEFT_VALUES_BESIDE_KEYS of shaders/kernels/sort/radix_tile.glsl

  uint32_t digits() const { return 1u << digit_bits; }
  /// Number of passes for `bits` bits, and the bits of each pass but the last.
  uint32_t passes(uint32_t bits) const { return (bits + digit_bits - 1) / digit_bits; }
  uint32_t width(uint32_t bits) const { return bits == 0 ? 0 : (bits + passes(bits) - 1) / passes(bits); }
  /// Whether one invocation runs over a tile: its kernels have names of their own, which end in "_serial".
  bool is_serial() const { return tiling.is_serial(); }
  /// The same tiles for a kernel that only counts digits, which needs less workgroup memory.
  RadixShape counting(const DeviceInfo& device) const;
  /// Defines the macros of kernels that rank or count.
  void define(KernelMaker& maker) const;
};

/// The tuning's shape, reduced to fit into the device's workgroup memory.
RadixShape make_radix_shape(const DeviceInfo& device, const RadixElements& elements, const RadixTuning& tuning);

/// A shape of serial tiles: of tuning.serial_bytes, unless as many keys, each with `words` of its own there, do not fit
/// into the device's workgroup memory.
RadixShape make_serial_radix_shape(const DeviceInfo& device, uint32_t element_bytes, uint32_t words,
                                   const RadixTuning& tuning);

/// Tiles of the kernel that counts the digits of all passes at once.
Tiling make_counting_tiling(const DeviceInfo& device, uint32_t key_bytes, const RadixTuning& tuning);

/// The maximum of any shape.
constexpr uint32_t most_digits = 256;

}  // namespace weft::algorithms
