#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include "bench/peer/cub/rows.h"

namespace weft::peer {
namespace {

template <class T>
Row reduce(uint64_t elements) {
  return row_of_counts(elements, {sizeof(T)},
                       [](auto count, void* temporary, size_t& bytes, const Arrays& a, cudaStream_t stream) {
                         return cub::DeviceReduce::Sum(temporary, bytes, a.in<T>(0), a.out<T>(0), count, stream);
                       });
}

template <class T>
Row scan(uint64_t elements) {
  return row_of_counts(elements, {sizeof(T)},
                       [](auto count, void* temporary, size_t& bytes, const Arrays& a, cudaStream_t stream) {
                         return cub::DeviceScan::ExclusiveSum(temporary, bytes, a.in<T>(0), a.out<T>(0), count, stream);
                       });
}

}  // namespace

std::optional<Row> find_scan_row(const weft_peer_problem& problem) {
  const uint64_t count = problem.count;
  if (asks(problem, "reduce", {"u32"})) return reduce<uint32_t>(count);
  if (asks(problem, "reduce", {"u64"})) return reduce<uint64_t>(count);
  if (asks(problem, "reduce", {"f32"})) return reduce<float>(count);
  if (asks(problem, "scan", {"u32"})) return scan<uint32_t>(count);
  if (asks(problem, "scan", {"u64"})) return scan<uint64_t>(count);
  if (asks(problem, "scan", {"f32"})) return scan<float>(count);
  return std::nullopt;
}

}  // namespace weft::peer
