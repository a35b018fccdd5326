#include <cub/device/device_merge.cuh>
#include <cub/device/device_merge_sort.cuh>

#include "bench/peer/cub/rows.h"

namespace weft::peer {
namespace {

struct Less {
  template <class T>
  __device__ bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};

template <class Key>
Row merge(const weft_peer_problem& problem) {
  return {{{[first = int(problem.inputs[0].bytes / sizeof(Key)), second = int(problem.inputs[1].bytes / sizeof(Key))](
                void* temporary, size_t& bytes, const Arrays& a, cudaStream_t stream) {
            return cub::DeviceMerge::MergeKeys(temporary, bytes, a.in<Key>(0), first, a.in<Key>(1), second,
                                               a.out<Key>(0), Less{}, stream);
          }}},
          {sizeof(Key)}};
}

// CUB has no StableSortPairsCopy. This one promises less, but does the same.
template <class Key, class Value>
Row merge_sort_pairs(uint64_t elements) {
  return row_of_counts(elements, {sizeof(Key), sizeof(Value)},
                       [](auto count, void* temporary, size_t& bytes, const Arrays& a, cudaStream_t stream) {
                         return cub::DeviceMergeSort::SortPairsCopy(temporary, bytes, a.in<Key>(0), a.in<Value>(1),
                                                                    a.out<Key>(0), a.out<Value>(1), count, Less{},
                                                                    stream);
                       });
}

template <class Key>
Row merge_sort(uint64_t elements) {
  return row_of_counts(elements, {sizeof(Key)},
                       [](auto count, void* temporary, size_t& bytes, const Arrays& a, cudaStream_t stream) {
                         return cub::DeviceMergeSort::StableSortKeysCopy(temporary, bytes, a.in<Key>(0), a.out<Key>(0),
                                                                         count, Less{}, stream);
                       });
}

}  // namespace

std::optional<Row> find_merge_sort_row(const weft_peer_problem& problem) {
  const uint64_t count = problem.count;
  if (asks(problem, "merge", {"u32", "u32"})) return merge<uint32_t>(problem);
  if (asks(problem, "merge_sort", {"u32"})) return merge_sort<uint32_t>(count);
  if (asks(problem, "merge_sort_pairs", {"u32", "u32"})) return merge_sort_pairs<uint32_t, uint32_t>(count);
  return std::nullopt;
}

}  // namespace weft::peer
