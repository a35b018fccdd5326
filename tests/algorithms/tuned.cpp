#include "tuned.h"

#include "algorithms/src/base/tile_carry.h"
#include "sizes.h"

namespace weft::test {

using namespace algorithms;

Tuned::Tuned(const Device& device, const std::vector<Values>& all)
    : named_("WEFT_TUNING", (folder_.path() / "tuning").c_str()) {
  std::vector<TuningEntry> entries;
  for (const Values& values : all) {
    entries.push_back(
        {device.info().backend, device.info().name, values.primitive, values.element_bytes, 1, values.tuning});
  }
  folder_.write("tuning", to_text(entries));
}

SmallTiles::SmallTiles(const Device& device, const char* primitive, uint32_t element_words, uint32_t total_words)
    : tuned_(device, {{primitive,
                       4 * element_words,
                       {.workgroup = 64, .bytes_per_invocation = 8 * element_words, .staged_bytes = 4 * element_words}},
                      {"scan_spine", 4 * total_words, {.workgroup = 64}}}),
      total_words_(total_words),
      round_(make_spine_tiling(device.info(), total_words).elements()),
      tile_(2 * least_workgroup(device)) {}

void SmallTiles::check(uint64_t temporary_bytes) const {
  constexpr uint64_t most_beside = 64;
  const uint64_t bytes = (2 * round_ + 3) * total_words_ * 4;
  CHECK_GE(temporary_bytes, bytes);
  CHECK_LE(temporary_bytes, bytes + most_beside);
}

}  // namespace weft::test
