#pragma once

#include <weft/kernel.h>

#include "algorithms/src/sort/radix_pass.h"

namespace weft::algorithms {

/// Passes of a radix sort by Onesweep: all digits are counted first, and a pass finds its offsets by looking back.
class RadixOneSweep {
 public:
  explicit RadixOneSweep(const RadixMaking& making);

  /// Counts the digits of all passes over the bits [begin, end), before the first. Then leaves out neighbouring passes
  /// that would move no key, two at a time: the second would write to where the first reads. The first two do so if
  /// `in_place`.
  void count_digits(Recorder& recorder, uint64_t keys, uint32_t begin, uint32_t end, bool in_place,
                    const Region& temporary, const ResolvedCount& count) const;
  void record(Recorder& recorder, const RadixPass& pass, uint32_t passes, const Region& temporary,
              const ResolvedCount& count) const;
  uint64_t temporary_bytes() const { return temporary_bytes_; }

 private:
  /// Sizes are for most_digits, so that they do not depend on the shape.
  struct Storage;
  void make_histogram(const RadixMaking& making);

  DeviceLimits limits_;
  RadixShape shape_;
  Tiling counted_;            // Tiles of the kernel that counts all digits.
  uint32_t groups_ = 0;       // Its workgroups.
  uint64_t index_bytes_ = 4;  // Of an index among all keys.
  uint64_t state_bytes_ = 0;  // Of one digit's state in one tile.
  uint64_t temporary_bytes_ = 0;
  uint64_t leaves_out_from_ = 0;  // So many keys.
  Kernel histogram_, pass_;
};

/// Whether the states of tiles that look back fit into one word each.
bool has_short_states(uint64_t max_count);

}  // namespace weft::algorithms
