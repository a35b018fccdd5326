#pragma once

#include <cstdint>

#include <weft/arguments.h>
#include <weft/device_info.h>
#include <weft/element.h>

namespace weft::algorithms {

/// How a kernel cuts its elements into tiles. Mirrors shaders/workgroup/tile.glsl: a tile is `rows` packs for each of
/// `workgroup` invocations.
struct Tiling {
  uint32_t workgroup = 0;
  uint32_t rows = 0;
  uint32_t pack = 0;
  uint32_t element_words = 0;

  uint64_t elements() const { return uint64_t{workgroup} * rows * pack; }
  uint64_t bytes() const { return elements() * element_words * 4; }
  /// Tiles that `count` elements fall into; at least one.
  uint64_t tiles(uint64_t count) const { return count == 0 ? 1 : (count - 1) / elements() + 1; }
  /// Packs fill 16-byte vectors, so aligned memory is read and written in those.
  bool vectors() const { return pack * element_words % 4 == 0; }
};

/// A tiling where an invocation holds about `bytes_per_invocation`, on a GPU; on a CPU it holds less.
Tiling make_tiling(const DeviceInfo& device, uint32_t element_words, uint32_t bytes_per_invocation);

/// As above for kernels that gather a tile in workgroup memory: one that fits. Throws unsupported when none does.
Tiling make_staged_tiling(const char* primitive, const DeviceInfo& device, uint32_t element_words,
                          uint32_t bytes_per_invocation);

/// `groups` workgroups spread over x and y as the device's limits need; a few more than asked for when they do not
/// divide.
Groups spread(uint64_t groups, const DeviceLimits& limits);

/// `bytes` rounded up to the multiple of 16 that temporary storage is given in.
constexpr uint64_t round_up_16(uint64_t bytes) { return (bytes + 15) / 16 * 16; }

}  // namespace weft::algorithms
