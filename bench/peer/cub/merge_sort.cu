#include <cub/device/device_merge_sort.cuh>

#include "rows.h"

namespace weft::peer {
namespace {

struct Less {
  template <class T>
  __device__ bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};

template <class Key>
Row merge_sort(int count) {
  return {[=](void* temporary, size_t& bytes, const Arrays& a, cudaStream_t stream) {
            return cub::DeviceMergeSort::StableSortKeysCopy(temporary, bytes, a.in<Key>(0), a.out<Key>(0), count,
                                                            Less{}, stream);
          },
          {sizeof(Key)}};
}

}  // namespace

std::optional<Row> find_merge_sort_row(const weft_peer_problem& problem) {
  if (asks(problem, "merge_sort", {"u32"})) return merge_sort<uint32_t>(int(problem.count));
  return std::nullopt;
}

}  // namespace weft::peer
