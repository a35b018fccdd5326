#pragma once

#include <cstdint>
#include <optional>

#include <weft/kernel.h>
#include <weft/lbvh.h>
#include <weft/stream.h>
#include <weft/tuning.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/temporary_layout.h"
#include "algorithms/src/base/tiling.h"
#include "algorithms/src/pairs/found_pairs.h"
#include "algorithms/src/pairs/pair_offsets.h"

namespace weft::algorithms {

/// Builds a hierarchy over boxes; each leaf traverses it, counts its pairs, then stores them.
class PairTraversal {
 public:
  PairTraversal(const Device& device, uint64_t max_count, const PairFilter& filter,
                const std::optional<Tuning>& tuning);

  uint64_t temporary_bytes() const { return storage_.layout.bytes(); }
  void record(Recorder& recorder, const PairPrimitives& of, const FoundPairs& to, const Count& count,
              const ResolvedCount& resolved, const Region& temporary) const;

 private:
  struct Storage {
    Storage(uint64_t count, uint64_t offsets_bytes, uint64_t steps_bytes);

    TemporaryLayout layout;
    TemporaryLayout::Part nodes, indices, leaf_parents, bounds, offsets;
    TemporaryLayout::Part steps;  // Of the plans that run one after the other.
  };

  DeviceLimits limits_;
  Tiling tiling_;
  Lbvh hierarchy_;
  PairOffsets offsets_;
  Kernel count_, fill_;
  Storage storage_;
};

}  // namespace weft::algorithms
