#include "algorithms/src/sort/radix_shape.h"

#include <algorithm>
#include <bit>
#include <string>

#include "algorithms/src/base/device_traits.h"

namespace weft::algorithms {
namespace {

constexpr uint32_t most_digit_bits = std::bit_width(most_digits) - 1;

// Words for the count of each digit in each subgroup.
uint32_t count_words(const RadixShape& shape, const DeviceInfo& device) {
  return shape.tiling.workgroup / subgroup_sizes(device).least * shape.digits();
}

uint32_t rank_words(const RadixShape& shape, const DeviceInfo& device) {
  return count_words(shape, device) * (shape.match_by_atomics ? 1 + shape.lane_words : 1);
}

uint32_t staged_words(const RadixShape& shape, const RadixElements& elements) {
  const uint32_t key_words = (elements.key_bytes + 3) / 4, value_words = (elements.value_bytes + 3) / 4;
  const uint32_t words = shape.values_beside_keys ? key_words + value_words : std::max(key_words, value_words);
  return shape.tiling.workgroup * std::min(shape.tiling.staged_rows, shape.tiling.rows) * words;
}

// Divides the rows of a tile into equal parts, as few as `staged_rows` rows at once allow.
uint32_t even_parts(uint32_t rows, uint32_t staged_rows) {
  const uint32_t parts = (rows + staged_rows - 1) / staged_rows;
  return (rows + parts - 1) / parts;
}

}  // namespace

RadixShape make_serial_radix_shape(const DeviceInfo& device, uint32_t element_bytes, uint32_t words,
                                   const RadixTuning& tuning) {
  constexpr uint32_t step = 256, most_keys = 65535 / step * step;       // Ranks in a tile have 16 bits.
  constexpr uint32_t beside = 4 * (4 + 1 + 1 + 2) * most_digits + 256;  // Tables, counts, ranks and 64-bit indices.
  const uint32_t room = device.limits.workgroup_memory_bytes - beside;
  const uint32_t keys = std::min({tuning.serial_bytes / element_bytes, room / (4 * words), most_keys});
  RadixShape shape;
  shape.tiling = {.workgroup = 1, .rows = std::max(1u, keys / step) * step, .pack = 1, .element_words = words};
  shape.digit_bits = most_digit_bits;
  return shape;
}

RadixShape make_radix_shape(const DeviceInfo& device, const RadixElements& elements, const RadixTuning& tuning) {
  const DeviceLimits& limits = device.limits;
  const uint32_t key_words = (elements.key_bytes + 3) / 4, value_words = (elements.value_bytes + 3) / 4;
  if (tuning.serial_bytes > 0) return make_serial_radix_shape(device, elements.both(), key_words + value_words, tuning);
  const uint32_t least = std::max(64u, subgroup_sizes(device).most);
  RadixShape shape;
  shape.tiling = make_tiling(device, key_words, tuning.tile);
  shape.tiling.pack = 1;
  const uint32_t row_bytes = std::max(elements.largest(), 4u);
  shape.tiling.rows = std::max(1u, tuning.tile.bytes_per_invocation / row_bytes);
  shape.tiling.staged_rows = even_parts(shape.tiling.rows, std::max(1u, tuning.staged_bytes / row_bytes));
  shape.digit_bits = most_digit_bits;
  shape.lane_words = (subgroup_sizes(device).most + 31) / 32;
  shape.match_by_atomics = tuning.match_by_atomics != 0;
  shape.values_beside_keys = tuning.values_beside_keys != 0 && elements.value_bytes > 0;

  // Beside the tile: 64-bit indices of the digits, and scans over the workgroup.
  const auto fits = [&](uint32_t words) {
    const uint64_t beside = 2048 + 8 * uint64_t{shape.digits()};
    return 4 * uint64_t{words} + beside <= limits.workgroup_memory_bytes;
  };
  const auto ranks_fit = [&] { return fits(rank_words(shape, device)); };
  const auto staged_fit = [&] { return fits(staged_words(shape, elements)); };
  while (!(ranks_fit() && staged_fit()) && shape.tiling.workgroup > least) shape.tiling.workgroup /= 2;
  while (!ranks_fit() && shape.digit_bits > 1) --shape.digit_bits;
  while (!staged_fit() && shape.tiling.rows > 1) --shape.tiling.rows;
  shape.tiling.staged_rows = std::min(shape.tiling.staged_rows, shape.tiling.rows);
  shape.memory_words = std::max(rank_words(shape, device), staged_words(shape, elements));
  return shape;
}

// Copies of the counts leave room for few workgroups on a multiprocessor, so these are large.
Tiling make_counting_tiling(const DeviceInfo& device, uint32_t key_bytes, const RadixTuning& tuning) {
  constexpr uint32_t most_bytes = 64;  // Bytes of an invocation's keys.
  const uint32_t workgroup = device.kind == DeviceKind::cpu ? tuning.tile.workgroup : 1024;
  Tiling tiling = make_tiling(device, (key_bytes + 3) / 4, TileTuning{.workgroup = workgroup});
  tiling.pack = 1;
  tiling.rows = std::max(1u, std::min(tuning.tile.bytes_per_invocation, most_bytes) / std::max(key_bytes, 4u));
  return tiling;
}

RadixShape RadixShape::counting(const DeviceInfo& device) const {
  RadixShape shape = *this;
  shape.match_by_atomics = shape.values_beside_keys = false;
  shape.memory_words = count_words(shape, device);
  return shape;
}

void RadixShape::define(KernelMaker& maker) const {
  maker.tiling(tiling);
  maker.define("WEFT_DIGIT_BITS", std::to_string(digit_bits));
  if (is_serial()) return;
  maker.define("WEFT_OWN_DIGITS", std::to_string((digits() + tiling.workgroup - 1) / tiling.workgroup));
  maker.define("WEFT_LANE_WORDS", std::to_string(lane_words));
  maker.define("WEFT_SORT_WORDS", std::to_string(memory_words));
  if (match_by_atomics) maker.define("WEFT_MATCH_ATOMIC");
  if (values_beside_keys) maker.define("WEFT_VALUES_BESIDE_KEYS");
}

}  // namespace weft::algorithms
