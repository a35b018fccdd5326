#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include <weft/count.h>

#include "tests/support/guarded.h"

namespace weft::test {

/// Counts in device memory with random bytes around them, that a plan reads or writes. They have 64 or 32 bits, drawn
/// by the generator, and start at an odd multiple of their size.
class DeviceCounts {
 public:
  ///
  /// `number` counts, of 64 bits if `most` is above 2^32 - 1.
  DeviceCounts(Stream& stream, uint64_t number, std::mt19937_64& generator, uint64_t most = 0)
      : DeviceCounts(stream, number, word_bytes(most, generator), generator) {}
  /// These counts, of 64 bits if one is above 2^32 - 1.
  DeviceCounts(Stream& stream, const std::vector<uint64_t>& counts, std::mt19937_64& generator)
      : DeviceCounts(stream, counts.size(), word_bytes(*std::ranges::max_element(counts), generator), generator) {
    std::vector<std::byte> bytes(counts.size() * bytes_);
    for (size_t i = 0; i < counts.size(); ++i) std::memcpy(&bytes[i * bytes_], &counts[i], bytes_);  // little-endian
    memory_.write(stream, bytes);
  }

  /// The count with that index, to read.
  Count count(uint64_t index) const {
    const Region word = memory_.region().part(index * bytes_, bytes_);
    if (bytes_ == sizeof(uint32_t)) return View<const uint32_t>(word);
    return View<const uint64_t>(word);
  }
  operator Count() const { return count(0); }
  operator CountOutput() const {
    if (bytes_ == sizeof(uint32_t)) return View<uint32_t>(memory_.region());
    return memory_.region();
  }

  std::vector<uint64_t> read(Stream& stream) const {
    const std::vector<std::byte> bytes = memory_.read(stream);
    std::vector<uint64_t> counts(bytes.size() / bytes_);
    for (size_t i = 0; i < counts.size(); ++i) std::memcpy(&counts[i], &bytes[i * bytes_], bytes_);
    return counts;
  }

 private:
  DeviceCounts(Stream& stream, uint64_t number, uint32_t bytes, std::mt19937_64& generator)
      : bytes_(bytes), memory_(stream.device(), stream, number * bytes, bytes, generator) {}

  static uint32_t word_bytes(uint64_t most, std::mt19937_64& generator) {
    return most > UINT32_MAX || generator() % 2 == 0 ? 8 : 4;
  }

  uint32_t bytes_;
  GuardedBytes memory_;
};

}  // namespace weft::test
