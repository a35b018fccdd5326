#pragma once

#include <cstdint>

#include <weft/arguments.h>
#include <weft/device_info.h>
#include <weft/element.h>

#include "algorithms/src/base/tuning_values.h"

namespace weft::algorithms {

/// How a kernel divides its elements into tiles. Mirrors shaders/workgroup/tile.glsl: a tile is `rows` packs for each
/// of `workgroup` invocations.
struct Tiling {
  uint32_t workgroup = 0;
  uint32_t rows = 0;
  uint32_t pack = 0;
  uint32_t element_words = 0;  ///< In registers and workgroup memory.
  uint32_t element_bytes = 0;  ///< In device memory.
  uint32_t staged_rows = 0;    ///< Rows gathered in workgroup memory at once, if not the whole tile.

  /// One invocation runs over the tile in loops: shaders/serial/tile.glsl.
  bool is_serial() const { return workgroup == 1; }
  uint64_t elements() const { return uint64_t{workgroup} * rows * pack; }
  /// Workgroup memory that a tile takes.
  uint64_t bytes() const { return elements() * element_words * 4; }
  /// Number of tiles for `count` elements; at least one.
  uint64_t tiles(uint64_t count) const { return count == 0 ? 1 : (count - 1) / elements() + 1; }
  /// Whether packs fill 16-byte vectors, in which aligned memory is then read and written.
  bool vectors() const { return pack * element_bytes % 16 == 0; }
};

/// A tiling by `tuning`, with a workgroup that the device takes.
Tiling make_tiling(const DeviceInfo& device, const Element& element, const TileTuning& tuning);
/// As above for elements of whole words in memory.
Tiling make_tiling(const DeviceInfo& device, uint32_t element_words, const TileTuning& tuning);

/// As above for kernels that gather a tile in workgroup memory: shrunk until it fits. Throws unsupported if none does.
Tiling make_staged_tiling(const char* primitive, const DeviceInfo& device, const Element& element,
                          const TileTuning& tuning);
Tiling make_staged_tiling(const char* primitive, const DeviceInfo& device, uint32_t element_words,
                          const TileTuning& tuning);

/// For kernels whose invocations each hold an odd number of consecutive elements and gather a tile in workgroup memory,
/// `shared_words` for each element: shrunk until it fits. Throws unsupported if none does.
Tiling make_item_tiling(const char* primitive, const DeviceInfo& device, const Element& element, uint32_t shared_words,
                        const TileTuning& tuning);
/// Doubles the workgroup of that tiling, up to `workgroup`, while the device takes it and the tile still fits.
Tiling widen_item_tiling(Tiling tiling, const DeviceInfo& device, uint32_t shared_words, uint32_t workgroup);

/// As make_tiling() for kernels that hold a key beside each element, both in packs that fill vectors; `key` may be
/// null.
Tiling make_keyed_tiling(const DeviceInfo& device, const Element& element, const Element* key,
                         const TileTuning& tuning);

/// As above with exactly `elements` in a tile on every device: a power of two from 1024 to 32768, as is each factor.
Tiling make_fixed_tiling(const DeviceInfo& device, const Element& element, const Element* key, uint32_t elements);

/// A tile of one invocation, of about `bytes` of the larger of element and key; `key` may be null.
Tiling make_serial_tiling(const Element& element, const Element* key, uint32_t bytes);

/// As make_keyed_tiling() for kernels that gather elements and keys in workgroup memory row by row, `staged_bytes` of
/// an invocation's at once. Each element takes `beside_words` of workgroup memory beside its own.
Tiling make_row_staged_tiling(const char* primitive, const DeviceInfo& device, const Element& element,
                              const Element* key, uint32_t beside_words, const TileTuning& tuning,
                              uint32_t staged_bytes);

/// The largest number of elements, segments or runs whose offsets have 32 bits: sums of an offset and a subgroup's
/// lanes stay below 2^32.
constexpr uint64_t most_short_offset = UINT32_MAX - 256;

/// Spreads `groups` workgroups over x and y within the device's limits. The product may be a few more.
Groups spread(uint64_t groups, const DeviceLimits& limits);

/// `bytes` rounded up to a multiple of 16, as temporary storage is divided.
constexpr uint64_t round_up_16(uint64_t bytes) { return (bytes + 15) / 16 * 16; }

}  // namespace weft::algorithms
