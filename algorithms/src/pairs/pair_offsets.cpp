#include "algorithms/src/pairs/pair_offsets.h"

#include <array>
#include <string>

namespace weft::algorithms {

// Wide lengths are pairs of words, so that no device needs 64-bit integers.
Scan scan_of_lengths(const Device& device, uint64_t most, uint32_t bytes, const std::optional<Tuning>& tuning) {
  const Scan::Options options{.kind = ScanKind::inclusive, .tuning = tuning};
  if (bytes == 4) return Scan(device, Element::of<uint32_t>(), Operator::sum(), most, options);
  const std::string low = "a.words.x + b.words.x";
  const Operator sum = Operator::custom("sum of two words",
                                        "T(uvec2(" + low + ", a.words.y + b.words.y + uint(" + low + " < a.words.x)))",
                                        "T(uvec2(0u))", true);
  return Scan(device, Element::structure({{"uvec2", "words"}}), sum, most, options);
}

PairOffsets::PairOffsets(const Device& device, uint64_t most_lengths, uint32_t index_bytes,
                         const std::optional<Tuning>& tuning)
    : most_lengths_(most_lengths),
      index_bytes_(index_bytes),
      scan_(scan_of_lengths(device, most_lengths, index_bytes, tuning)) {}

void PairOffsets::record(Recorder& recorder, const Region& memory, const Count& number, uint64_t most,
                         const Region& temporary) const {
  constexpr std::array<std::byte, 4> zero{};
  recorder.fill_region(memory.part(16 - index_bytes_, index_bytes_), zero);
  const Region all = lengths(memory, most);
  scan_.record(recorder, {.input = all, .output = all, .count = number, .temporary = temporary});
}

}  // namespace weft::algorithms
