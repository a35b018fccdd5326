#include "algorithms/src/sort/radix_passes.h"

#include <algorithm>
#include <string>

#include "algorithms/src/base/tile_carry.h"

namespace weft::algorithms {
namespace {

KernelMaker key_maker(const Device& device, const RadixInput& input) {
  const RadixElements elements = input.elements();
  KernelMaker maker = radix_key_kernels(device, input.primitive, input.key, input.descending, input.max_count);
  if (input.value) {
    maker.bits_of(*input.value);
    maker.define("WEFT_VALUE_BYTES", std::to_string(elements.value_bytes));
    if (elements.value_bytes == 8) maker.define("WEFT_PAIR_ALIGN", std::to_string(input.value->align()));
  }
  if (has_short_states(input.max_count)) maker.define("WEFT_SHORT_STATES");
  if (input.max_count * elements.largest() > UINT32_MAX) maker.define("WEFT_FAR_MEMORY");
  return maker;
}

RadixMaking making_of(const Device& device, const Tuning& measured, const RadixInput& input, bool look_back) {
  const RadixElements elements = input.elements();
  const auto shape = [&](RadixTuning tuning) {
    if (!look_back) tuning.serial_bytes = 0;
    return make_radix_shape(device.info(), elements, tuning);
  };
  const Tuner tuner(elements.value_bytes == 0 ? tuned_sort : tuned_sort_pairs, device.info(), measured,
                    elements.both());
  const RadixTuning tuning = tuner.at(input.max_count);
  const uint64_t most_tiles =
      tuner.most_tiles(input.max_count, [&](const RadixTuning& at) { return shape(at).tiling; });
  return {device, key_maker(device, input), tuning, elements, shape(tuning), input.max_count, most_tiles};
}

}  // namespace

Kernel RadixMaking::pass_kernel(const char* name) const {
  KernelMaker pass = maker;
  shape.define(pass);
  return pass.workgroups_per_multiprocessor(tuning.workgroups_per_multiprocessor).make(name);
}

RadixPasses::RadixPasses(const Device& device, const Tuning& measured, const RadixInput& input, TilePath path) {
  const bool look_back = resolve_path(path, device.info()) == TilePath::look_back;
  const RadixMaking making = making_of(device, measured, input, look_back);
  elements_ = making.elements;
  shape_ = making.shape;
  if (look_back)
    one_sweep_.emplace(making);
  else
    count_scan_scatter_.emplace(making, measured);
}

uint64_t RadixPasses::temporary_bytes() const {
  return one_sweep_ ? one_sweep_->temporary_bytes() : count_scan_scatter_->temporary_bytes();
}

RadixBuffers RadixPasses::record(Recorder& recorder, const Ways& ways, uint32_t begin, uint32_t end,
                                 const Region& temporary, const ResolvedCount& count) const {
  const uint32_t passes = this->passes(end - begin), width = shape_.width(end - begin);
  if (passes == 0) return ways.in;
  // The last pass writes to `out`, unless it would also read from it because `in` shares its memory.
  const bool other_first = ways.in_place || passes % 2 == 0;
  if (one_sweep_) {
    const bool second_writes_in = other_first && ways.in == ways.out;
    one_sweep_->count_digits(recorder, ways.in.keys, begin, end, second_writes_in, temporary, count);
  }
  RadixPass pass{ways.in, {}, 0, begin, 0};
  for (; pass.number < passes; ++pass.number, pass.begin += width) {
    if (pass.number > 0) pass.from = pass.to;
    pass.to = (pass.number % 2 == 0) == other_first ? ways.other : ways.out;
    pass.mask = (1u << std::min(width, end - pass.begin)) - 1;
    if (one_sweep_)
      one_sweep_->record(recorder, pass, passes, temporary, count);
    else
      count_scan_scatter_->record(recorder, pass, temporary, count);
  }
  return pass.to;
}

}  // namespace weft::algorithms
