#pragma once

#include <cstdint>
#include <optional>

#include <weft/kernel.h>
#include <weft/reduce.h>
#include <weft/sort.h>
#include <weft/stream.h>
#include <weft/tuning.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/temporary_layout.h"
#include "algorithms/src/base/tiling.h"
#include "algorithms/src/pairs/pair_offsets.h"
#include "algorithms/src/pairs/pair_test.h"

namespace weft::algorithms {

/// How boxes are sorted.
struct BoxOrder {
  bool by_cells = false;  ///< By the cells of a uniform grid; otherwise along one axis.
  float cell_size = 0;    ///< 0: by the boxes' sizes.
};

/// Sorts boxes, and finds for each the sorted boxes that it has to be tested with.
class SortedBoxes {
 public:
  SortedBoxes(const Device& device, uint64_t max_count, const BoxOrder& order, const std::optional<Tuning>& tuning);

  uint64_t temporary_bytes() const { return storage_.layout.bytes(); }
  /// `boxes` are those of shaders/kernels/pairs/boxes.glsl.
  PairCandidates record(Recorder& recorder, const Region& boxes, const Count& count, const ResolvedCount& resolved,
                        const Region& temporary) const;

 private:
  struct Storage {
    Storage(uint64_t count, bool by_cells, uint64_t offsets_bytes, uint64_t steps_bytes);

    TemporaryLayout layout;
    TemporaryLayout::Part boxes, keys, indices, ranges, offsets, statistics, axis;
    TemporaryLayout::Part steps;  // Of the plans that run one after the other.
  };

  Groups groups(const ResolvedCount& count) const { return spread(tiling_.tiles(count.most), limits_); }
  void sort(Recorder& recorder, const Region& boxes, const Count& count, const ResolvedCount& resolved,
            const Region& temporary) const;
  void find_candidates(Recorder& recorder, const Region& boxes, const Count& count, const ResolvedCount& resolved,
                       const Region& temporary) const;

  DeviceLimits limits_;
  BoxOrder order_;
  Tiling tiling_;
  Kernel keys_, ranges_;
  Reduce statistics_;
  Sort sort_;
  PairOffsets offsets_;
  Storage storage_;
};

}  // namespace weft::algorithms
