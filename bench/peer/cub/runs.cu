#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>

#include "bench/peer/cub/rows.h"

namespace weft::peer {
namespace {

template <class T>
Row run_length(int count) {
  return {{{[=](void* temporary, size_t& bytes, const Arrays& a, cudaStream_t stream) {
            return cub::DeviceRunLengthEncode::Encode(temporary, bytes, a.in<T>(0), a.out<T>(0), a.out<uint32_t>(1),
                                                      a.out<uint32_t>(2), count, stream);
          }}},
          {sizeof(T), sizeof(uint32_t), sizeof(uint32_t)}};
}

struct Sum {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

template <class Key, class Value>
Row reduce_by_key(int count) {
  return {{{[=](void* temporary, size_t& bytes, const Arrays& a, cudaStream_t stream) {
            return cub::DeviceReduce::ReduceByKey(temporary, bytes, a.in<Key>(0), a.out<Key>(0), a.in<Value>(1),
                                                  a.out<Value>(1), a.out<uint32_t>(2), Sum{}, count, stream);
          }}},
          {sizeof(Key), sizeof(Value), sizeof(uint32_t)}};
}

template <class Key, class Value>
Row scan_by_key(uint64_t elements) {
  return row_of_counts(
      elements, {sizeof(Value)}, [](auto count, void* temporary, size_t& bytes, const Arrays& a, cudaStream_t stream) {
        return cub::DeviceScan::ExclusiveSumByKey(temporary, bytes, a.in<Key>(0), a.in<Value>(1), a.out<Value>(0),
                                                  count, cuda::std::equal_to<>{}, stream);
      });
}

}  // namespace

std::optional<Row> find_run_row(const weft_peer_problem& problem) {
  const int count = int(problem.count);
  if (asks(problem, "run_length", {"u32"})) return run_length<uint32_t>(count);
  if (asks(problem, "run_length", {"u64"})) return run_length<uint64_t>(count);
  if (asks(problem, "reduce_by_key", {"u32", "u32"})) return reduce_by_key<uint32_t, uint32_t>(count);
  if (asks(problem, "reduce_by_key", {"u32", "f32"})) return reduce_by_key<uint32_t, float>(count);
  if (asks(problem, "scan_by_key", {"u32", "u32"})) return scan_by_key<uint32_t, uint32_t>(count);
  if (asks(problem, "scan_by_key", {"u32", "f32"})) return scan_by_key<uint32_t, float>(count);
  return std::nullopt;
}

}  // namespace weft::peer
