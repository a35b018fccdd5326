#include <cub/device/device_radix_sort.cuh>

#include "bench/peer/cub/rows.h"

namespace weft::peer {
namespace {

template <class Key>
Row keys(uint64_t elements) {
  return row_of_counts(elements, {sizeof(Key)},
                       [](auto count, void* temporary, size_t& bytes, const Arrays& a, cudaStream_t stream) {
                         return cub::DeviceRadixSort::SortKeys(temporary, bytes, a.in<Key>(0), a.out<Key>(0), count, 0,
                                                               int(8 * sizeof(Key)), stream);
                       });
}

template <class Key, class Value>
Row pairs(uint64_t elements) {
  return row_of_counts(elements, {sizeof(Key), sizeof(Value)},
                       [](auto count, void* temporary, size_t& bytes, const Arrays& a, cudaStream_t stream) {
                         return cub::DeviceRadixSort::SortPairs(temporary, bytes, a.in<Key>(0), a.out<Key>(0),
                                                                a.in<Value>(1), a.out<Value>(1), count, 0,
                                                                int(8 * sizeof(Key)), stream);
                       });
}

}  // namespace

std::optional<Row> find_sort_row(const weft_peer_problem& problem) {
  const uint64_t count = problem.count;
  if (asks(problem, "sort_keys", {"u32"})) return keys<uint32_t>(count);
  if (asks(problem, "sort_keys", {"u64"})) return keys<uint64_t>(count);
  if (asks(problem, "sort_pairs", {"u32", "u32"})) return pairs<uint32_t, uint32_t>(count);
  if (asks(problem, "sort_pairs", {"u64", "u32"})) return pairs<uint64_t, uint32_t>(count);
  return std::nullopt;
}

}  // namespace weft::peer
