#pragma once

#include <cstdint>
#include <optional>

#include <weft/count.h>
#include <weft/scan.h>
#include <weft/stream.h>
#include <weft/tuning.h>

namespace weft::algorithms {

/// An inclusive scan of lengths, of `bytes` bytes each, 4 or 8.
Scan scan_of_lengths(const Device& device, uint64_t most, uint32_t bytes, const std::optional<Tuning>& tuning);

/// Turns lengths into offsets in place: the sum of the lengths before each, then that of all.
class PairOffsets {
 public:
  /// Of `index_bytes` bytes each, 4 or 8.
  PairOffsets(const Device& device, uint64_t most_lengths, uint32_t index_bytes, const std::optional<Tuning>& tuning);

  /// Bytes of the offsets' memory, and of temporary storage.
  uint64_t bytes() const { return 16 + most_lengths_ * index_bytes_; }
  uint64_t temporary_bytes() const { return scan_.temporary_bytes(); }

  /// The lengths in the offsets' memory. The first offset ends at byte 16, so that the second is aligned.
  Region lengths(const Region& memory, uint64_t number) const { return memory.part(16, number * index_bytes_); }
  /// The address of the first offset.
  uint64_t address(const Region& memory) const { return memory.address() + 16 - index_bytes_; }
  /// `most` lengths, or fewer if `number` is less.
  void record(Recorder& recorder, const Region& memory, const Count& number, uint64_t most,
              const Region& temporary) const;

 private:
  uint64_t most_lengths_;
  uint32_t index_bytes_;
  Scan scan_;
};

}  // namespace weft::algorithms
