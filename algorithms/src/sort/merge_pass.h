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

/// Elements in memory, and their values where they have some.
struct Items {
  Region elements, values;
};

/// What a merge within segments knows of them, and its list of the tiles in which it has something to do.
struct SegmentsOfTiles {
  Region bounds;         ///< As the kernel merge_sort_tiles wrote them, for each `bound_tiles` tiles.
  uint32_t bound_tiles;  ///< Of each of the first runs.
  Region busy;           ///< busy_bytes, zero, for this merge alone.
  Region busy_tiles;     ///< 4 bytes for each tile.
};

/// One merge of two sequences, or of many pairs of runs in one memory: the two dispatches that each takes, or with
/// MergeTuning::own_splits one.
class MergePass {
 public:
  enum class Of { sequences, runs, runs_of_segments };

  /// `maker` comes from ordered_kernels().
  MergePass(const Device& device, KernelMaker maker, const Tiling& tiling, const MergeTuning& tuning, Of of);

  /// Bytes of temporary storage for so many tiles, multiples of 16; `wide` as in ordered_kernels(). Bounds are those of
  /// merge_segments().
  static uint64_t split_bytes(bool wide, uint64_t tiles);
  static uint64_t bound_bytes(bool wide, uint64_t tiles);
  static uint64_t busy_tile_bytes(uint64_t tiles);
  static constexpr uint64_t busy_bytes = 16;

  void merge_sequences(Recorder& recorder, const Items& first, const ResolvedCount& first_count, const Items& second,
                       const ResolvedCount& second_count, const Items& output, const Region& temporary) const;
  /// Merges each two neighbouring runs of `run_tiles` tiles.
  void merge_runs(Recorder& recorder, const Items& input, const Items& output, const ResolvedCount& count,
                  uint32_t run_tiles, const Region& splits) const;
  /// As above, within segments. `maker` has WEFT_SEGMENTS. Starting with runs of `segments.bound_tiles` tiles, the same
  /// two memories are input and output in turn.
  void merge_segments(Recorder& recorder, const Items& input, const Items& output, const ResolvedCount& count,
                      uint32_t run_tiles, const Region& splits, const SegmentsOfTiles& segments) const;

 private:
  struct Block;
  struct SegmentsBlock;
  static Block run_block(const Items& input, const Items& output, const ResolvedCount& count, uint32_t run_tiles,
                         const Region& splits);
  Groups split_groups(uint64_t tiles) const;
  void dispatch(Recorder& recorder, const Block& block, uint64_t count) const;

  Device device_;
  Tiling tiling_;
  std::optional<Kernel> splits_;  // Not where tiles find their own.
  Kernel tiles_;
};

/// A maker of kernels that put up to `max_count` elements in that order, and move values with them if there are any.
/// Positions have 64 bits if they are `wide`, as they have to be from 2^32 elements on. Throws invalid_argument for
/// more than kernels can address.
KernelMaker ordered_kernels(const char* primitive, const Device& device, const Element& element,
                            const Comparison& comparison, const std::optional<Element>& values, uint64_t max_count,
                            bool wide);

/// The count of a sort, with its regions checked: they are large enough and aligned.
ResolvedCount sorted_count(ArgumentChecks& checks, const Element& element, const std::optional<Element>& values,
                           const Count& count, uint64_t max_count, const Items& input, const Items& output);

/// Words of workgroup memory that each element takes in those kernels.
uint32_t shared_words(const Element& element, bool values);

}  // namespace weft::algorithms
