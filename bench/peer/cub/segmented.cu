#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include "bench/peer/cub/rows.h"

namespace weft::peer {
namespace {

template <class T, class Offset>
Row segmented_reduce(const weft_peer_problem& problem) {
  const auto segments = int64_t(problem.inputs[1].bytes / sizeof(Offset)) - 1;
  return {{{[=](void* temporary, size_t& bytes, const Arrays& a, cudaStream_t stream) {
            return cub::DeviceSegmentedReduce::Sum(temporary, bytes, a.in<T>(0), a.out<T>(0), segments, a.in<Offset>(1),
                                                   a.in<Offset>(1) + 1, stream);
          }}},
          {sizeof(T)}};
}

template <class T, class Offset>
Row segmented_sort(const weft_peer_problem& problem) {
  const auto segments = int64_t(problem.inputs[1].bytes / sizeof(Offset)) - 1;
  return {{{[=, count = int64_t(problem.count)](void* temporary, size_t& bytes, const Arrays& a, cudaStream_t stream) {
            return cub::DeviceSegmentedSort::SortKeys(temporary, bytes, a.in<T>(0), a.out<T>(0), count, segments,
                                                      a.in<Offset>(1), a.in<Offset>(1) + 1, stream);
          }}},
          {sizeof(T)}};
}

}  // namespace

std::optional<Row> find_segmented_row(const weft_peer_problem& problem) {
  if (asks(problem, "segmented_reduce", {"u32", "u32"})) return segmented_reduce<uint32_t, uint32_t>(problem);
  if (asks(problem, "segmented_reduce", {"u32", "u64"})) return segmented_reduce<uint32_t, uint64_t>(problem);
  if (asks(problem, "segmented_sort", {"u32", "u32"})) return segmented_sort<uint32_t, uint32_t>(problem);
  if (asks(problem, "segmented_sort", {"u32", "u64"})) return segmented_sort<uint32_t, uint64_t>(problem);
  return std::nullopt;
}

}  // namespace weft::peer
