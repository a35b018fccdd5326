#pragma once

#include <cstdint>

#include <weft/arguments.h>
#include <weft/device_info.h>
#include <weft/element.h>

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

/// How a kernel cuts its elements into tiles. Mirrors shaders/workgroup/tile.glsl: a tile is `rows` packs for each of
/// `workgroup` invocations.
struct Tiling {
  uint32_t workgroup = 0;
  uint32_t rows = 0;
  uint32_t pack = 0;
  uint32_t element_words = 0;  ///< In registers and workgroup memory.
  uint32_t element_bytes = 0;  ///< In device memory.
  uint32_t staged_rows = 0;    ///< Rows that are gathered in workgroup memory at once, where that is not a whole tile.

  uint64_t elements() const { return uint64_t{workgroup} * rows * pack; }
  /// What a tile takes in workgroup memory.
  uint64_t bytes() const { return elements() * element_words * 4; }
  /// Tiles that `count` elements fall into; at least one.
  uint64_t tiles(uint64_t count) const { return count == 0 ? 1 : (count - 1) / elements() + 1; }
  /// Packs fill 16-byte vectors, so aligned memory is read and written in those.
  bool vectors() const { return pack * element_bytes % 16 == 0; }
};

/// The tiling of that tuning, with a workgroup that the device takes.
Tiling make_tiling(const DeviceInfo& device, const Element& element, const Tuning& tuning);
/// As above for elements that take whole words in memory.
Tiling make_tiling(const DeviceInfo& device, uint32_t element_words, const Tuning& tuning);

/// As above for kernels that gather a tile in workgroup memory: one that fits. Throws unsupported when none does.
Tiling make_staged_tiling(const char* primitive, const DeviceInfo& device, const Element& element,
                          const Tuning& tuning);
Tiling make_staged_tiling(const char* primitive, const DeviceInfo& device, uint32_t element_words,
                          const Tuning& tuning);

/// For kernels whose invocations hold consecutive elements, an odd number of them, one by one, and gather a tile in
/// workgroup memory with `shared_words` for each element: one that fits. Throws unsupported when none does.
Tiling make_item_tiling(const char* primitive, const DeviceInfo& device, const Element& element, uint32_t shared_words,
                        const Tuning& tuning);
/// That tiling with twice the invocations, again and again up to `workgroup`, as the device and its workgroup memory
/// allow.
Tiling widen_item_tiling(Tiling tiling, const DeviceInfo& device, uint32_t shared_words, uint32_t workgroup);

/// As above for kernels that hold a key beside each element, both of packs that fill vectors; `key` may be null.
Tiling make_keyed_tiling(const DeviceInfo& device, const Element& element, const Element* key, const Tuning& tuning);

/// As above with exactly `elements` whatever the device, a power of two from 1024 to 32768; each factor of them is one
/// too.
Tiling make_fixed_tiling(const DeviceInfo& device, const Element& element, const Element* key, uint32_t elements);

/// As above for kernels that gather Tuning::staged_bytes of an invocation's elements and keys at once, row by row; for
/// each element they take `beside_words` of workgroup memory beside its own.
Tiling make_row_staged_tiling(const char* primitive, const DeviceInfo& device, const Element& element,
                              const Element* key, uint32_t beside_words, const Tuning& tuning);

/// The largest number of elements and of segments or runs for which offsets have 32 bits: sums of an offset and a
/// subgroup's lanes stay below 2^32.
constexpr uint64_t most_short_offset = UINT32_MAX - 256;

/// `groups` workgroups spread over x and y as the device's limits need; a few more than asked for when they do not
/// divide.
Groups spread(uint64_t groups, const DeviceLimits& limits);

/// `bytes` rounded up to the multiple of 16 that temporary storage is given in.
constexpr uint64_t round_up_16(uint64_t bytes) { return (bytes + 15) / 16 * 16; }

}  // namespace weft::algorithms
