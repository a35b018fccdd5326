#pragma once

#include <cstdint>
#include <optional>

#include <weft/device.h>
#include <weft/element.h>
#include <weft/scan.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/temporary_layout.h"
#include "algorithms/src/sort/radix_kernels.h"
#include "algorithms/src/sort/radix_shape.h"

namespace weft::algorithms {

/// The passes of a radix sort, one for each digit, lowest digit first: by Onesweep, or by counts, their scan and a
/// scatter.
class RadixPasses {
 public:
  /// `value`: a scalar or struct of 1, 2, 4 or 8 bytes that moves with each key.
  RadixPasses(const Device& device, const Tuning& measured, const char* primitive, const Element& key,
              const std::optional<Element>& value, bool descending, uint64_t max_count, TilePath path);

  struct Ways {
    RadixBuffers in;  ///< Values at address 0 are the keys' indices.
    RadixBuffers out, other;
    bool in_place;  ///< in and out share memory.
  };
  /// Sorts by the bits [begin, end) and returns the buffers of the result: `in` after no pass, `other` after an odd
  /// number of passes in place, otherwise `out`.
  RadixBuffers record(Recorder& recorder, const Ways& ways, uint32_t begin, uint32_t end, const Region& temporary,
                      const ResolvedCount& count) const;

  uint32_t count(uint32_t bits) const { return shape_.passes(bits); }
  const RadixElements& elements() const { return elements_; }
  TilePath path() const { return path_; }
  /// Bytes for up to max_count keys, a multiple of 16.
  uint64_t temporary_bytes() const { return temporary_bytes_; }

 private:
  struct Pass {
    RadixBuffers from, to;
    uint32_t number, begin, mask;
  };

  void make_histogram(KernelMaker maker, const RadixTuning& tuning);
  void make_count_scan_scatter(const Device& device, const Tuning& measured, const KernelMaker& maker,
                               const RadixTuning& tuning, uint64_t most_tiles, uint64_t max_count);
  /// Of the kernel that moves the keys of a pass.
  KernelMaker pass_maker(KernelMaker maker, const RadixTuning& tuning) const;
  /// Onesweep's temporary storage. Sizes are for most_digits, so that they do not depend on the shape.
  struct OneSweepStorage;
  /// The temporary storage of counts, scan and scatter.
  struct CountStorage;
  void one_sweep(Recorder& recorder, const Pass& pass, uint32_t passes, const Region& temporary,
                 const ResolvedCount& count) const;
  void count_scan_scatter(Recorder& recorder, const Pass& pass, const Region& temporary,
                          const ResolvedCount& count) const;
  void count_all_digits(Recorder& recorder, uint64_t keys, uint32_t begin, uint32_t end, const Region& temporary,
                        const ResolvedCount& count) const;

  DeviceInfo info_;
  RadixElements elements_;
  RadixShape shape_;
  Tiling counted_;  // Tiles of the kernel that counts all digits.
  TilePath path_;
  uint32_t groups_ = 0;       // Workgroups of the kernel that counts all digits.
  uint64_t index_bytes_ = 4;  // Bytes of an index among all keys.
  uint64_t state_bytes_ = 0;  // Bytes of one digit's state in one tile.
  uint64_t temporary_bytes_ = 0;
  Kernel histogram_, counts_, pass_;
  std::optional<Scan> scan_;
};

}  // namespace weft::algorithms
