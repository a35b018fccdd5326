#include <cub/device/device_histogram.cuh>

#include "bench/peer/cub/rows.h"

namespace weft::peer {
namespace {

template <class Sample, class Level>
Row histogram(const weft_peer_problem& problem) {
  return row_of_counts(problem.count, {sizeof(uint32_t)},
                       [levels = int(problem.bins) + 1, lower = Level(problem.lower), upper = Level(problem.upper)](
                           auto count, void* temporary, size_t& bytes, const Arrays& a, cudaStream_t stream) {
                         return cub::DeviceHistogram::HistogramEven(temporary, bytes, a.in<Sample>(0),
                                                                    a.out<uint32_t>(0), levels, lower, upper, count,
                                                                    stream);
                       });
}

}  // namespace

std::optional<Row> find_histogram_row(const weft_peer_problem& problem) {
  if (asks(problem, "histogram", {"u32"})) {
    // The range of all 32-bit numbers ends at a 33-bit number. With double limits CUB avoids 64-bit integer division.
    return problem.upper <= UINT32_MAX ? histogram<uint32_t, uint32_t>(problem) : histogram<uint32_t, double>(problem);
  }
  if (asks(problem, "histogram", {"u8"})) return histogram<uint8_t, int>(problem);
  if (asks(problem, "histogram", {"u16"})) return histogram<uint16_t, int>(problem);
  if (asks(problem, "histogram", {"f32"})) return histogram<float, float>(problem);
  return std::nullopt;
}

}  // namespace weft::peer
