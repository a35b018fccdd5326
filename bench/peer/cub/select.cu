#include <cub/device/device_partition.cuh>
#include <cub/device/device_select.cuh>

#include "bench/peer/cub/rows.h"

namespace weft::peer {
namespace {

template <class T>
struct Below {
  T limit;
  __device__ bool operator()(T x) const { return x < limit; }
};

template <class T>
Row select(const weft_peer_problem& problem) {
  return {{{[count = int(problem.count), below = Below<T>{T(problem.limit)}](void* temporary, size_t& bytes,
                                                                             const Arrays& a, cudaStream_t stream) {
            return cub::DeviceSelect::If(temporary, bytes, a.in<T>(0), a.out<T>(0), a.out<uint32_t>(1), count, below,
                                         stream);
          }}},
          {sizeof(T), sizeof(uint32_t)}};
}

template <class T, class Flag>
Row select_flagged(int count) {
  return {{{[=](void* temporary, size_t& bytes, const Arrays& a, cudaStream_t stream) {
            return cub::DeviceSelect::Flagged(temporary, bytes, a.in<T>(0), a.in<Flag>(1), a.out<T>(0),
                                              a.out<uint32_t>(1), count, stream);
          }}},
          {sizeof(T), sizeof(uint32_t)}};
}

template <class T>
Row partition(const weft_peer_problem& problem) {
  return row_of_counts(problem.count, {sizeof(T), sizeof(uint32_t)},
                       [below = Below<T>{T(problem.limit)}](auto count, void* temporary, size_t& bytes, const Arrays& a,
                                                            cudaStream_t stream) {
                         return cub::DevicePartition::If(temporary, bytes, a.in<T>(0), a.out<T>(0), a.out<uint32_t>(1),
                                                         count, below, stream);
                       });
}

template <class T>
Row unique(int count) {
  return {{{[=](void* temporary, size_t& bytes, const Arrays& a, cudaStream_t stream) {
            return cub::DeviceSelect::Unique(temporary, bytes, a.in<T>(0), a.out<T>(0), a.out<uint32_t>(1), count,
                                             stream);
          }}},
          {sizeof(T), sizeof(uint32_t)}};
}

}  // namespace

std::optional<Row> find_select_row(const weft_peer_problem& problem) {
  if (asks(problem, "select", {"u32"})) return select<uint32_t>(problem);
  if (asks(problem, "select", {"u64"})) return select<uint64_t>(problem);
  if (asks(problem, "select_flagged", {"u32", "u8"})) return select_flagged<uint32_t, uint8_t>(int(problem.count));
  if (asks(problem, "select_flagged", {"u64", "u8"})) return select_flagged<uint64_t, uint8_t>(int(problem.count));
  if (asks(problem, "select_flagged", {"u32", "u32"})) return select_flagged<uint32_t, uint32_t>(int(problem.count));
  if (asks(problem, "select_flagged", {"u64", "u32"})) return select_flagged<uint64_t, uint32_t>(int(problem.count));
  if (asks(problem, "partition", {"u32"})) return partition<uint32_t>(problem);
  if (asks(problem, "partition", {"u64"})) return partition<uint64_t>(problem);
  if (asks(problem, "unique", {"u32"})) return unique<uint32_t>(int(problem.count));
  if (asks(problem, "unique", {"u64"})) return unique<uint64_t>(int(problem.count));
  return std::nullopt;
}

}  // namespace weft::peer
