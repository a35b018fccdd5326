#include "tests/algorithms/base/tuned.h"

#include "algorithms/src/base/tile_carry.h"
#include "tests/algorithms/base/sizes.h"

namespace weft::test {

using namespace algorithms;

std::vector<uint64_t> serial_counts(uint32_t element_bytes) {
  const uint64_t tile = 256 * (element_bytes < 4 ? 4 / element_bytes : 1);
  return {0, 1, 3, tile / 2 + 1, tile - 1, tile, tile + 1, 2 * tile, 7 * tile + 5, 41 * tile - 3};
}

SmallTiles::SmallTiles(const Device& device, const Tuning::Entry& tiles, uint32_t total_words)
    : tuning_({tiles, tuned(tuned_spine, 4 * total_words, {.tile = {.workgroup = 64}})}),
      total_words_(total_words),
      round_(make_spine_tiling(device.info(), tuning_, total_words).elements()),
      tile_(2 * least_workgroup(device)) {}

void SmallTiles::check(uint64_t temporary_bytes) const {
  constexpr uint64_t most_beside = 64;
  const uint64_t bytes = (2 * round_ + 3) * total_words_ * 4;
  CHECK_GE(temporary_bytes, bytes);
  CHECK_LE(temporary_bytes, bytes + most_beside);
}

}  // namespace weft::test
