#include "algorithms/src/base/tile_carry.h"

#include <array>

#include "algorithms/src/base/kernel_options.h"

namespace weft::algorithms {
namespace {

// Push constants of shaders/kernels/scan/scan_spine.comp.
struct SpineBlock {
  uint64_t totals, count_on_device, count, total;
  uint32_t tile_size, options;
};

uint64_t bytes_of_a_tile(const DeviceInfo& device, TilePath path, uint32_t value_words) {
  if (path == TilePath::reduce_then_scan) return uint64_t{value_words} * 4;
  // One 64-bit packet of word and status for each word, or a status and two values: see shaders/device/look_back.glsl.
  return has_int64_atomics(device) ? uint64_t{value_words} * 8 : 4 + uint64_t{value_words} * 8;
}

}  // namespace

TilePath resolve_path(TilePath wanted, const DeviceInfo& device) {
  if (wanted != TilePath::automatic) return wanted;
  return device.features.workgroup_forward_progress ? TilePath::look_back : TilePath::reduce_then_scan;
}

Tiling make_spine_tiling(const DeviceInfo& device, const Tuning& tuning, uint32_t value_words) {
  // The same for every count, so that all plans of a value share one kernel.
  return make_tiling(device, value_words, Tuner(tuned_spine, device, tuning, 4 * value_words).at(0).tile);
}

TileCarry::TileCarry(const Device& device, const Tuning& tuning, TilePath path, uint32_t value_words,
                     const KernelMaker& maker)
    : path_(path), tile_bytes_(bytes_of_a_tile(device.info(), path, value_words)) {
  if (path == TilePath::look_back) return;
  spine_ = KernelMaker(maker).tiling(make_spine_tiling(device.info(), tuning, value_words)).make("scan/scan_spine");
}

Kernel TileCarry::make_totals(const KernelMaker& maker, const std::string& name) const {
  return path_ == TilePath::look_back ? Kernel() : maker.make(name);
}

Kernel TileCarry::make_tiles(const KernelMaker& maker, const LookBackTuning& tuning, const std::string& name) const {
  if (path_ == TilePath::reduce_then_scan) return maker.make(name);
  return KernelMaker(maker).define("WEFT_LOOK_BACK").look_back(tuning).make(name);
}

uint64_t TileCarry::temporary_bytes(uint64_t tiles) const {
  return round_up_16(tiles * tile_bytes_) + (path_ == TilePath::look_back ? ticket_bytes : 0);
}

void TileCarry::clear(Recorder& recorder, const Region& temporary, uint64_t tiles) const {
  constexpr std::array<std::byte, 4> zero{};
  recorder.fill_region(temporary.part(0, temporary_bytes(tiles)), zero);
}

void TileCarry::scan_totals(Recorder& recorder, const Region& temporary, const ResolvedCount& count,
                            const Tiling& tiling, uint64_t total) const {
  const SpineBlock block{
      temporary.address(), count.address, count.most, total, static_cast<uint32_t>(tiling.elements()),
      count_option(count)};
  recorder.dispatch(spine_, {1, 1, 1}, block);
}

}  // namespace weft::algorithms
