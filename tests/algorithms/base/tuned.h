#pragma once

#include <weft/tuning.h>

#include "algorithms/src/base/tuning.h"
#include "tests/support/test.h"

namespace weft::test {

/// An entry for plans of every device and count.
template <class Values>
Tuning::Entry tuned(const algorithms::TunedPrimitive<Values>& primitive, uint32_t element_bytes, const Values& values) {
  return {.primitive = primitive.name, .element_bytes = element_bytes, .values = algorithms::named_values(values)};
}

/// A tuning for the smallest tiles that one invocation runs over: 256 elements, or more of those narrower than a word.
template <class Values>
Tuning serial_tiles(const algorithms::TunedPrimitive<Values>& primitive, uint32_t element_bytes) {
  return Tuning({tuned(primitive, element_bytes, Values{.serial_bytes = 1024})});
}

/// Counts of elements around such tiles, and of many of them.
std::vector<uint64_t> serial_counts(uint32_t element_bytes);

/// A tuning for tiles of two rows, as narrow as the device takes them, and for a spine that takes as few of their
/// totals at once as it can: few elements are enough for three rounds of shaders/kernels/scan/scan_spine.comp. Kernels
/// that gather rows in workgroup memory gather one at a time.
class SmallTiles {
 public:
  /// Elements have `element_words`, with the keys beside them, so many that they make no packs. The carry of a tile has
  /// `total_words`.
  template <class Values>
  SmallTiles(const Device& device, const algorithms::TunedPrimitive<Values>& primitive, uint32_t element_words,
             uint32_t total_words)
      : SmallTiles(device, tuned(primitive, 4 * element_words, small<Values>(element_words)), total_words) {}

  const Tuning& tuning() const { return tuning_; }
  /// Elements of two full rounds of tiles, and of a few tiles more.
  uint64_t count() const { return (2 * round_ + 3) * tile_ - 5; }
  /// Fails the running test unless the totals of that many tiles take `temporary_bytes`.
  void check(uint64_t temporary_bytes) const;

 private:
  SmallTiles(const Device& device, const Tuning::Entry& tiles, uint32_t total_words);

  template <class Values>
  static Values small(uint32_t element_words) {
    Values values{.tile = {.workgroup = 64, .bytes_per_invocation = 8 * element_words}};
    if constexpr (requires { values.staged_bytes; }) values.staged_bytes = 4 * element_words;
    return values;
  }

  Tuning tuning_;
  uint32_t total_words_;
  uint64_t round_, tile_;
};

}  // namespace weft::test
