#pragma once

#include <cstdint>
#include <optional>

#include <weft/comparison.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/kernel.h>
#include <weft/stream.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/tiling.h"
#include "algorithms/src/sort/merge_tuning.h"

namespace weft::algorithms {

/// Elements in memory, and their values if there are any.
struct Items {
  Region elements, values;
};

/// What merges within segments know about them, and their lists of tiles that have anything to merge.
struct SegmentsOfTiles {
  Region bounds;         ///< Two for every `bound_tiles` tiles, written by the kernel merge_sort_tiles.
  uint32_t bound_tiles;  ///< Tiles in each of the sequences that merging starts from.
  uint32_t merges;       ///< From those sequences to one.
  Region busy;           ///< busy_bytes for each merge, zero before the first: merge_sort_tiles sees to it.
  Region busy_tiles;     ///< busy_tile_bytes().
};

/// Merges two sorted sequences, or many pairs of neighbouring runs: sorted sequences of a whole number of tiles. Takes
/// two dispatches, or one with MergeTuning::own_splits.
class MergePass {
 public:
  enum class Of { sequences, runs, runs_of_segments };

  /// Tiles by tuning.serial_bytes, unless that is 0 or workgroup memory too small; not for segments.
  static std::optional<Tiling> serial_tiling(const DeviceInfo& device, const Element& element, bool values,
                                             const MergeTuning& tuning);

  /// `maker` comes from ordered_kernels().
  MergePass(const Device& device, KernelMaker maker, const Tiling& tiling, const MergeTuning& tuning, Of of);

  /// Bytes of temporary storage for a number of tiles, multiples of 16; `wide` as in ordered_kernels(). Bounds and busy
  /// tiles are for merge_segments().
  static uint64_t split_bytes(bool wide, uint64_t tiles);
  static uint64_t bound_bytes(bool wide, uint64_t tiles);
  static uint64_t busy_tile_bytes(uint64_t tiles);
  static constexpr uint64_t busy_bytes = 16;

  void merge_sequences(Recorder& recorder, const Items& first, const ResolvedCount& first_count, const Items& second,
                       const ResolvedCount& second_count, const Items& output, const Region& temporary) const;
  /// Merges each pair of neighbouring runs of `run_tiles` tiles.
  void merge_runs(Recorder& recorder, const Items& input, const Items& output, const ResolvedCount& count,
                  uint32_t run_tiles, const Region& splits) const;
  /// Merges the short segments that straddle two runs of `segments.bound_tiles` tiles, of which there are at least two,
  /// and clears their bounds. `output` is that of the last merge. Call it before merge_segments().
  void merge_bounds(Recorder& recorder, const Items& input, const Items& output, const ResolvedCount& count,
                    const SegmentsOfTiles& segments) const;
  /// As merge_runs(), within segments; `maker` must have WEFT_SEGMENTS. Call it for merge 0 of runs of
  /// `segments.bound_tiles` tiles, then for merge 1 of twice as many and so on, swapping input and output. Every
  /// sixteenth call takes a dispatch more, which lists the tiles of the next sixteen.
  void merge_segments(Recorder& recorder, const Items& input, const Items& output, const ResolvedCount& count,
                      uint32_t merge, const Region& splits, const SegmentsOfTiles& segments) const;

 private:
  struct Block;
  static Block run_block(const Items& input, const Items& output, const ResolvedCount& count, uint32_t run_tiles,
                         const Region& splits);
  static void add_segments(Block& block, const SegmentsOfTiles& segments, uint32_t merge, uint64_t tiles);
  Groups split_groups(uint64_t tiles) const;
  void dispatch(Recorder& recorder, const Block& block, uint64_t count) const;

  Device device_;
  Tiling tiling_;
  std::optional<Kernel> bounds_;  // For runs of segments.
  std::optional<Kernel> lists_;   // The same.
  std::optional<Kernel> splits_;  // None if tiles find their own.
  Kernel tiles_;
};

/// A maker of kernels that order up to `max_count` elements and move their values, if any. Indices have 64 bits if
/// `wide`, which 2^32 elements or more need. Throws invalid_argument for more elements than kernels can address.
KernelMaker ordered_kernels(const char* primitive, const Device& device, const Element& element,
                            const Comparison& comparison, const std::optional<Element>& values, uint64_t max_count,
                            bool wide);

/// Returns the count of a sort, after checking the size and alignment of its regions.
ResolvedCount sorted_count(ArgumentChecks& checks, const Element& element, const std::optional<Element>& values,
                           const Count& count, uint64_t max_count, const Items& input, const Items& output);

/// Words of workgroup memory for each element in these kernels.
uint32_t shared_words(const Element& element, bool values);

}  // namespace weft::algorithms
