#include "algorithms/src/sort/gather.h"

#include <string>

#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"

namespace weft::algorithms {
namespace {

// Push constants of shaders/kernels/sort/gather.comp.
struct GatherBlock {
  uint64_t source, destination, indices, count_on_device, count;
  uint32_t options, unused;
};

}  // namespace

Gather::Gather(const Device& device, const char* primitive, const Element& element, uint32_t index_bytes)
    : limits_(device.info().limits) {
  // Memory in flight is bounded by the units of a wide element, not by the number of elements.
  tiling_ = make_tiling(device.info(), 1, {.bytes_per_invocation = 16});
  kernel_ = KernelMaker(device, primitive)
                .bits_of(element)
                .tiling(tiling_)
                .define("WEFT_UNIT_BYTES", std::to_string(element.unit_bytes()))
                .define("WEFT_UNITS", std::to_string(element.words()))
                .define("WEFT_INDEX_BYTES", std::to_string(index_bytes))
                .make("sort/gather");
}

void Gather::record(Recorder& recorder, uint64_t source, uint64_t destination, uint64_t indices,
                    const ResolvedCount& count) const {
  const GatherBlock block{source, destination, indices, count.address, count.most, count_option(count), 0};
  recorder.dispatch(kernel_, spread(tiling_.tiles(count.most), limits_), block);
}

}  // namespace weft::algorithms
