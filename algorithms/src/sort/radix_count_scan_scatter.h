#pragma once

#include <optional>

#include <weft/kernel.h>
#include <weft/scan.h>

#include "algorithms/src/sort/radix_pass.h"

namespace weft::algorithms {

/// Passes of a radix sort by counts of each tile's digits, their scan, and a scatter. No workgroup waits for another.
class RadixCountScanScatter {
 public:
  /// `measured`: the tuning of the scan.
  RadixCountScanScatter(const RadixMaking& making, const Tuning& measured);

  void record(Recorder& recorder, const RadixPass& pass, const Region& temporary, const ResolvedCount& count) const;
  uint64_t temporary_bytes() const { return temporary_bytes_; }

 private:
  /// Sizes are for most_digits, so that they do not depend on the shape.
  struct Storage;

  DeviceLimits limits_;
  RadixShape shape_;
  uint64_t index_bytes_ = 4;  // Of an index among all keys.
  uint64_t temporary_bytes_ = 0;
  Kernel counts_, scatter_;
  std::optional<Scan> scan_;
};

}  // namespace weft::algorithms
