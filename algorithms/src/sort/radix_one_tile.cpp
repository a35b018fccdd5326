#include "algorithms/src/sort/radix_one_tile.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "algorithms/src/base/device_traits.h"

namespace weft::algorithms {
namespace {

// Push constants of shaders/kernels/sort/one_tile_arguments.glsl.
struct OneTileBlock {
  RadixBlock sort;
  uint32_t width, end;
};

// Reduces invocations and rows to what `count` keys need.
void fit_to(Tiling& tiling, const DeviceInfo& device, uint32_t count) {
  if (tiling.is_serial()) {
    tiling.rows = std::min(tiling.rows, std::max(256u, std::bit_ceil(count)));
    return;
  }
  const uint32_t least = std::max(64u, subgroup_sizes(device).most);
  while (tiling.workgroup / 2 >= std::max(least, count)) tiling.workgroup /= 2;
  tiling.rows = std::max(1u, (count + tiling.workgroup - 1) / tiling.workgroup);
}

RadixTuning one_tile_tuning(const DeviceInfo& device, const Tuning& measured, const Element& key) {
  // The same for every count, so that a plan for more keys never needs less storage.
  RadixTuning tuning = Tuner(tuned_sort_one_tile, device, measured, key.bytes()).at(0);
  // Passes move the values' indices, not values, and only after the keys.
  tuning.values_beside_keys = 0;
  tuning.staged_bytes = tuning.tile.bytes_per_invocation;  // All at once.
  return tuning;
}

// Empty for a device on which one workgroup cannot sort.
std::optional<RadixShape> one_tile_shape(const DeviceInfo& device, const Element& key, bool values,
                                         const RadixTuning& tuning) {
  if (tuning.serial_bytes > 0) {
    const uint32_t key_words = (key.bytes() + 3) / 4;
    return make_serial_radix_shape(device, key.bytes(), 2 * key_words + (values ? 3 : 0), tuning);
  }
  // SwiftShader's compiler, whose subgroups have 4 lanes, takes exponential time for ranking in a loop.
  if (device.limits.max_subgroup_size < 8) return std::nullopt;
  return make_radix_shape(device, {key.bytes(), values ? uint32_t{4} : 0}, tuning);
}

}  // namespace

uint64_t RadixOneTile::most_keys(const DeviceInfo& device, const Tuning& tuning, const Element& key, bool values) {
  const std::optional<RadixShape> shape = one_tile_shape(device, key, values, one_tile_tuning(device, tuning, key));
  return shape ? shape->tiling.elements() : 0;
}

std::optional<RadixOneTile> RadixOneTile::make(const Device& device, const Tuning& measured, const RadixInput& input) {
  const DeviceInfo& info = device.info();
  const RadixTuning tuning = one_tile_tuning(info, measured, input.key);
  std::optional<RadixShape> found = one_tile_shape(info, input.key, input.value.has_value(), tuning);
  if (!found || input.max_count > found->tiling.elements()) return std::nullopt;
  RadixShape& shape = *found;
  fit_to(shape.tiling, info, uint32_t(input.max_count));

  KernelMaker maker = radix_key_kernels(device, input.primitive, input.key, input.descending, input.max_count);
  shape.define(maker);
  if (const std::optional<Element>& value = input.value) {
    maker.bits_of(*value)
        .define("WEFT_UNIT_BYTES", std::to_string(value->unit_bytes()))
        .define("WEFT_UNITS", std::to_string(value->words()));
  }
  const char* name = shape.is_serial() ? "sort/radix_one_tile_serial" : "sort/radix_one_tile";
  return RadixOneTile(shape, maker.workgroups_per_multiprocessor(tuning.workgroups_per_multiprocessor).make(name));
}

void RadixOneTile::record(Recorder& recorder, const RadixBuffers& in, const RadixBuffers& out, uint32_t begin,
                          uint32_t end, const ResolvedCount& count) const {
  const uint32_t width = shape_.width(end - begin);
  const OneTileBlock block{radix_block(in, out, begin, (1u << width) - 1, count), width, end};
  recorder.dispatch(kernel_, {1, 1, 1}, block);
}

}  // namespace weft::algorithms
