#pragma once

#include <cstdint>

#include <weft/device_info.h>
#include <weft/kernel.h>
#include <weft/scan.h>
#include <weft/stream.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/tiling.h"
#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

/// The path to take on a device; never automatic.
TilePath resolve_path(TilePath wanted, const DeviceInfo& device);

/// 32-bit words of a pair of shaders/thread/segment.glsl; `wide` where there may be 2^32 heads.
constexpr uint32_t segment_words(uint32_t value_words, bool wide) { return value_words + (wide ? 2 : 1); }

/// One workgroup scans the totals of all tiles, so it takes many at a time.
inline PlainTuning default_spine(const TuningQuery&) { return {.tile = {.bytes_per_invocation = 64}}; }
inline constexpr TunedPrimitive<PlainTuning> tuned_spine{"scan_spine", default_spine};

/// The totals of `value_words` that one round of shaders/kernels/scan/scan_spine.comp takes.
Tiling make_spine_tiling(const DeviceInfo& device, const Tuning& tuning, uint32_t value_words);

/// What tiles tell one another through temporary storage, on either path: the value that the tiles before each one come
/// to, of `value_words` 32-bit words.
class TileCarry {
 public:
  /// `maker` has the value's type and operator. Compiles the kernel that scans the tiles' totals where `path` needs it.
  TileCarry(const Device& device, const Tuning& tuning, TilePath path, uint32_t value_words, const KernelMaker& maker);

  /// Bytes of temporary storage for that many tiles, a multiple of 16.
  uint64_t temporary_bytes(uint64_t tiles) const;

  /// look_back: sets tickets and states to zero. The kernel takes them as ticket() and state().
  void clear(Recorder& recorder, const Region& temporary, uint64_t tiles) const;
  static uint64_t ticket(const Region& temporary) { return temporary.address(); }
  static uint64_t state(const Region& temporary) { return temporary.address() + ticket_bytes; }

  /// reduce_then_scan: replaces the tiles' totals, packed at the start of `temporary`, by their exclusive scan, and
  /// writes what all of them come to at the address `total` unless it is 0.
  void scan_totals(Recorder& recorder, const Region& temporary, const ResolvedCount& count, const Tiling& tiling,
                   uint64_t total = 0) const;

  /// Everything that `path` needs, with kernels that take the same block: clears and dispatches `tiles`, or dispatches
  /// `totals`, scans them, and dispatches `tiles`.
  template <class Block>
  void record(Recorder& recorder, const Region& temporary, const ResolvedCount& count, const Tiling& tiling,
              const DeviceLimits& limits, const Kernel& totals, const Kernel& tiles, const Block& block) const {
    const uint64_t tile_count = tiling.tiles(count.most);
    const Groups groups = spread(tile_count, limits);
    if (path_ == TilePath::look_back) {
      clear(recorder, temporary, tile_count);
    } else {
      recorder.dispatch(totals, groups, block);
      scan_totals(recorder, temporary, count, tiling);
    }
    recorder.dispatch(tiles, groups, block);
  }
  /// Where such kernels find what tiles tell one another.
  uint64_t carries(const Region& temporary) const {
    return path_ == TilePath::look_back ? state(temporary) : temporary.address();
  }

 private:
  static constexpr uint64_t ticket_bytes = 16;

  TilePath path_;
  uint64_t tile_bytes_;
  Kernel spine_;
};

}  // namespace weft::algorithms
