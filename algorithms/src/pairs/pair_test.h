#pragma once

#include <cstdint>
#include <optional>

#include <weft/kernel.h>
#include <weft/stream.h>
#include <weft/tuning.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/tiling.h"
#include "algorithms/src/pairs/found_pairs.h"

namespace weft::algorithms {

/// Where the candidates of boxes come from.
enum class CandidatesOf : uint8_t {
  all,    ///< Every two boxes.
  sweep,  ///< Sorted boxes: a number of boxes after each.
  cells,  ///< Sorted boxes: ranges of boxes for each.
};

/// Addresses of candidates. For CandidatesOf::all only of the boxes.
struct PairCandidates {
  uint64_t primitives = 0, vertices = 0, boxes = 0, indices = 0, ranges = 0, offsets = 0;
};

/// Tests candidates for overlap: counts the pairs, then stores them.
class PairTest {
 public:
  PairTest(const Device& device, uint64_t max_count, CandidatesOf source, const PairFilter& filter,
           const std::optional<Tuning>& tuning);

  uint64_t temporary_bytes() const;
  void record(Recorder& recorder, const PairCandidates& candidates, const FoundPairs& to, const ResolvedCount& count,
              const Region& temporary) const;

 private:
  uint64_t groups(uint64_t count) const;

  uint64_t max_count_;
  uint32_t most_groups_, index_bytes_;
  Tiling tiling_;
  Kernel count_, fill_;
};

}  // namespace weft::algorithms
