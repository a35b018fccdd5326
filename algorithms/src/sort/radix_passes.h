#pragma once

#include <cstdint>
#include <optional>

#include "algorithms/src/sort/radix_count_scan_scatter.h"
#include "algorithms/src/sort/radix_input.h"
#include "algorithms/src/sort/radix_one_sweep.h"

namespace weft::algorithms {

/// The passes of a radix sort, one for each digit, lowest digit first: by Onesweep, or by counts, their scan and a
/// scatter.
class RadixPasses {
 public:
  /// Values: scalars or structs of 1, 2, 4 or 8 bytes.
  RadixPasses(const Device& device, const Tuning& measured, const RadixInput& input, TilePath path);

  struct Ways {
    RadixBuffers in;  ///< Values at address 0 are the keys' indices.
    RadixBuffers out, other;
    bool in_place;  ///< in and out share memory.
  };
  /// Sorts by the bits [begin, end) and returns the buffers of the result: `in` after no pass, `other` after an odd
  /// number of passes in place, otherwise `out`.
  RadixBuffers record(Recorder& recorder, const Ways& ways, uint32_t begin, uint32_t end, const Region& temporary,
                      const ResolvedCount& count) const;

  /// Number of passes for `bits` bits.
  uint32_t passes(uint32_t bits) const { return shape_.passes(bits); }
  const RadixElements& elements() const { return elements_; }
  /// Bytes for up to max_count keys, a multiple of 16.
  uint64_t temporary_bytes() const;

 private:
  RadixElements elements_;
  RadixShape shape_;
  std::optional<RadixOneSweep> one_sweep_;  // With look-back.
  std::optional<RadixCountScanScatter> count_scan_scatter_;
};

}  // namespace weft::algorithms
