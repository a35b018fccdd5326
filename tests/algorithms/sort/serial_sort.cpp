#include <vector>

#include "algorithms/src/sort/radix_tuning.h"
#include "tests/algorithms/base/fields.h"
#include "tests/algorithms/base/tuned.h"
#include "tests/algorithms/scan/scan_check.h"
#include "tests/algorithms/sort/sort_check.h"

using namespace weft;
using namespace weft::test;

/// Radix sorts whose workgroups are one invocation, on every device: few take such tiles by themselves. Tiles are
/// small, so that there are many.

namespace {

constexpr uint64_t serial_tile = 256;  // Keys, the fewest that a tile has.

/// Tiles of passes over elements of `bytes`, and of `key_bytes` for the sort of one tile.
Tuning sort_tuning(uint32_t key_bytes, uint32_t bytes) {
  const algorithms::RadixTuning values{.counting = {.groups = 3}, .serial_bytes = uint32_t(serial_tile) * bytes};
  const algorithms::RadixTuning one_tile{.serial_bytes = uint32_t(serial_tile) * key_bytes};
  return Tuning({tuned(algorithms::tuned_sort, bytes, values), tuned(algorithms::tuned_sort_pairs, bytes, values),
                 tuned(algorithms::tuned_sort_one_tile, key_bytes, one_tile)});
}

/// Bytes of a key and of what moves with it: values, or their indices.
template <typename K, typename V>
uint32_t moved_bytes() {
  if (std::is_same_v<V, NoValue>) return sizeof(K);
  const uint32_t bytes = sort_value<V>().bytes();
  return sizeof(K) + (bytes <= 8 && std::has_single_bit(bytes) ? bytes : 4);
}

template <typename K, typename V = NoValue>
void check_serial_sorts(const Device& device, SortOrder order, const std::vector<uint64_t>& counts) {
  need_path(device, TilePath::look_back);
  need_memory_of<K>(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(std::string("serial sort ") + TypeName<K>::value);
  const Sort plan = sort_plan<K, V>(
      device, counts.back(),
      {.order = order, .path = TilePath::look_back, .tuning = sort_tuning(sizeof(K), moved_bytes<K, V>())});
  for (const uint64_t count : counts) {
    check_sort<K, V>(stream, plan, order, uniform<K>(count, generator), generator);
  }
  const uint64_t behind = 5, align = sort_value<V>().align();
  for (const auto& [distribution, name] : key_distributions) {
    INFO("distribution: ", std::string(name));
    check_sort<K, V>(stream, plan, order, keys_of<K>(distribution, counts.back(), generator), generator,
                     {.keys_misalignment = generator() % 8 * sizeof(K),
                      .values_misalignment = generator() % 8 * align,
                      .in_place = generator() % 2 == 0,
                      .count_on_device = true,
                      .behind = behind});
  }
}

const std::vector<uint64_t> counts_of_tiles{0,   1,   97,  serial_tile - 1,     serial_tile,         serial_tile + 1,
                                            513, 767, 768, 7 * serial_tile + 1, 33 * serial_tile - 3};
const std::vector<uint64_t> counts_of_one_tile{0, 1, 2, 97, serial_tile - 1, serial_tile};

}  // namespace

DEVICE_TEST_OF_TYPES("one invocation sorts a tile of keys", int8_t, uint16_t, Half, int32_t, uint32_t, float, int64_t,
                     double) {
  check_serial_sorts<T>(device, {.descending = std::is_signed_v<T>}, counts_of_tiles);
}
DEVICE_TEST_OF_TYPES("one invocation sorts a tile of keys with values", uint8_t, uint32_t, uint64_t, Five, Pixel) {
  need_memory_of<T>(device);
  check_serial_sorts<float, T>(device, {}, counts_of_tiles);
  check_serial_sorts<uint64_t, T>(device, {.descending = true}, counts_of_tiles);
}
DEVICE_TEST("one invocation sorts a tile of keys by the given bits") {
  for (const auto& [begin, end] : {std::pair{0u, 0u}, {3u, 11u}, {31u, 32u}, {4u, 24u}}) {
    check_serial_sorts<uint32_t, uint32_t>(device, {.begin_bit = begin, .end_bit = end}, {7 * serial_tile + 1});
  }
  for (const auto& [begin, end] : {std::pair{27u, 44u}, {30u, 31u}, {32u, 40u}}) {
    check_serial_sorts<uint64_t>(device, {.descending = true, .begin_bit = begin, .end_bit = end},
                                 {7 * serial_tile + 1});
  }
}
DEVICE_TEST_OF_TYPES("one invocation sorts few keys", uint8_t, int16_t, uint32_t, float, int64_t) {
  check_serial_sorts<T>(device, {.descending = std::is_signed_v<T>}, counts_of_one_tile);
}
DEVICE_TEST_OF_TYPES("one invocation sorts few keys with values", uint8_t, uint32_t, uint64_t, Five, Mixed, Pixel) {
  need_memory_of<T>(device);
  check_serial_sorts<uint32_t, T>(device, {.begin_bit = 3, .end_bit = 29}, counts_of_one_tile);
  check_serial_sorts<int64_t, T>(device, {}, counts_of_one_tile);
}
