#pragma once

#include <vector>

#include "algorithms/src/base/tuning_file.h"
#include "environment.h"
#include "files.h"
#include "test.h"

namespace weft::test {

/// While it lives, plans for the device take these values in place of the default ones.
class Tuned {
 public:
  struct Values {
    const char* primitive;
    uint32_t element_bytes;
    algorithms::Tuning tuning;
  };
  Tuned(const Device& device, const std::vector<Values>& all);

 private:
  TemporaryFolder folder_;
  Environment named_;
};

/// While it lives, one primitive has tiles of two rows, as narrow as the device takes them, and the spine takes as few
/// of their totals at once as it can: few elements are enough for three rounds of shaders/kernels/scan/scan_spine.comp.
/// Kernels that gather rows in workgroup memory gather one at a time.
class SmallTiles {
 public:
  /// Elements have `element_words`, with the keys beside them, so many that they make no packs. What a tile tells the
  /// next ones has `total_words`.
  SmallTiles(const Device& device, const char* primitive, uint32_t element_words, uint32_t total_words);

  /// Elements of two full rounds of tiles, and of a few tiles more.
  uint64_t count() const { return (2 * round_ + 3) * tile_ - 5; }
  /// Fails the running test unless that is what the totals of as many tiles take.
  void check(uint64_t temporary_bytes) const;

 private:
  Tuned tuned_;
  uint32_t total_words_;
  uint64_t round_, tile_;
};

}  // namespace weft::test
