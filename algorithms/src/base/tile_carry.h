#pragma once

#include <cstdint>
#include <string>

#include <weft/device_info.h>
#include <weft/kernel.h>
#include <weft/stream.h>
#include <weft/tile_path.h>

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

/// The way from tile to tile, on either path: the carry of all tiles before each one, a value of `value_words` 32-bit
/// words. The host side of shaders/device/tile_carry.glsl.
class TileCarry {
 public:
  /// `maker` has the value's type and operator. Compiles the kernel that scans the tiles' totals if `path` needs it.
  TileCarry(const Device& device, const Tuning& tuning, TilePath path, uint32_t value_words, const KernelMaker& maker);

  /// Compiles the kernel of the first dispatch, which stores the tiles' totals; an empty one on look_back.
  Kernel make_totals(const KernelMaker& maker, const std::string& name) const;
  /// Compiles the only or last kernel, which takes tiles and their carries.
  Kernel make_tiles(const KernelMaker& maker, const LookBackTuning& tuning, const std::string& name) const;

  /// Bytes of temporary storage for that many tiles, a multiple of 16.
  uint64_t temporary_bytes(uint64_t tiles) const;

  /// The addresses that both kernels take as `ticket` and `carries`.
  static uint64_t ticket(const Region& temporary) { return temporary.address(); }
  uint64_t carries(const Region& temporary) const {
    return temporary.address() + (path_ == TilePath::look_back ? ticket_bytes : 0);
  }

  /// Records all dispatches of `path`, with the same block for both kernels. On look_back: clears ticket and states,
  /// then `tiles`. On reduce_then_scan: `totals`, their exclusive scan, then `tiles`; the scan writes the total of all
  /// tiles at the address `total` unless it is 0.
  template <class Block>
  void record(Recorder& recorder, const Region& temporary, const ResolvedCount& count, const Tiling& tiling,
              const DeviceLimits& limits, const Kernel& totals, const Kernel& tiles, const Block& block,
              uint64_t total = 0) const {
    const uint64_t tile_count = tiling.tiles(count.most);
    const Groups groups = spread(tile_count, limits);
    if (path_ == TilePath::look_back) {
      clear(recorder, temporary, tile_count);
    } else {
      recorder.dispatch(totals, groups, block);
      scan_totals(recorder, temporary, count, tiling, total);
    }
    recorder.dispatch(tiles, groups, block);
  }

 private:
  void clear(Recorder& recorder, const Region& temporary, uint64_t tiles) const;
  void scan_totals(Recorder& recorder, const Region& temporary, const ResolvedCount& count, const Tiling& tiling,
                   uint64_t total) const;

  static constexpr uint64_t ticket_bytes = 16;

  TilePath path_;
  uint64_t tile_bytes_;
  Kernel spine_;
};

}  // namespace weft::algorithms
