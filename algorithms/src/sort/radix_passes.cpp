#include "algorithms/src/sort/radix_passes.h"

#include <algorithm>
#include <array>
#include <string>

#include "algorithms/src/base/in_parallel.h"
#include "algorithms/src/base/index_sum.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/tile_carry.h"

namespace weft::algorithms {
namespace {

// Push constants of shaders/kernels/sort/radix_one_sweep.comp.
struct OneSweepBlock {
  RadixBlock sort;
  uint64_t ticket, totals, states, next_states;
};
// Push constants of shaders/kernels/sort/radix_counts.comp and shaders/kernels/sort/radix_scatter.comp.
struct RadixTilesBlock {
  RadixBlock sort;
  uint64_t counts;
  uint32_t tiles, unused;
};
// Push constants of shaders/kernels/sort/radix_histogram.comp.
struct HistogramBlock {
  uint64_t keys, totals, count_on_device, count;
  uint32_t begin, width, end, passes, options, groups;
};

constexpr uint32_t most_passes = 64;  // Of one bit each.
constexpr uint64_t most_totals = 64 / 8 * uint64_t{most_digits};

// A state of one word holds a status and a count or index below 2^30: shaders/device/digit_states.glsl.
bool has_short_states(uint64_t max_count) { return max_count < uint64_t{1} << 30; }

uint64_t state_words(const DeviceInfo& device, uint64_t max_count) {
  if (has_short_states(max_count)) return 1;
  const uint64_t index_words = max_count > UINT32_MAX ? 2 : 1;
  return has_int64_atomics(device) ? 2 * index_words : 1 + 2 * index_words;
}

KernelMaker key_maker(const Device& device, const char* primitive, const Element& key,
                      const std::optional<Element>& value, bool descending, uint64_t max_count) {
  KernelMaker maker = radix_key_kernels(device, primitive, key, descending, max_count);
  if (value) {
    maker.bits_of(*value);
    maker.define("WEFT_VALUE_BYTES", std::to_string(value->bytes()));
    if (value->bytes() == 8) maker.define("WEFT_PAIR_ALIGN", std::to_string(value->align()));
  }
  if (has_short_states(max_count)) maker.define("WEFT_SHORT_STATES");
  if (max_count * std::max(key.bytes(), value ? value->bytes() : 0) > UINT32_MAX) maker.define("WEFT_FAR_MEMORY");
  return maker;
}

}  // namespace

struct RadixPasses::OneSweepStorage {
  OneSweepStorage(const RadixPasses& of, uint64_t tiles)
      : tickets(layout.add(4 * most_passes)),
        totals(layout.add(most_totals * of.index_bytes_)),
        states{layout.add(tiles * most_digits * of.state_bytes_), layout.add(tiles * most_digits * of.state_bytes_)} {}

  TemporaryLayout layout;
  TemporaryLayout::Part tickets;    // One for each pass.
  TemporaryLayout::Part totals;     // Of all digits of all passes.
  TemporaryLayout::Part states[2];  // Of one pass each; passes take turns.
};

struct RadixPasses::CountStorage {
  CountStorage(const RadixPasses& of, uint64_t tiles)
      : counts(layout.add(tiles * most_digits * of.index_bytes_)), scan(layout.add(of.scan_->temporary_bytes())) {}

  TemporaryLayout layout;
  TemporaryLayout::Part counts;  // Of each digit in each tile.
  TemporaryLayout::Part scan;
};

RadixPasses::RadixPasses(const Device& device, const Tuning& measured, const char* primitive, const Element& key,
                         const std::optional<Element>& value, bool descending, uint64_t max_count, TilePath path)
    : info_(device.info()),
      elements_{key.bytes(), value ? value->bytes() : 0},
      path_(resolve_path(path, device.info())) {
  const RadixElements& elements = elements_;
  const Tuner tuner(elements.value_bytes == 0 ? tuned_sort : tuned_sort_pairs, device.info(), measured,
                    elements.both());
  const RadixTuning tuning = tuner.at(max_count);
  shape_ = make_radix_shape(device.info(), elements, tuning);
  index_bytes_ = max_count > UINT32_MAX ? 8 : 4;
  const uint64_t most_tiles = tuner.most_tiles(
      max_count, [&](const RadixTuning& at) { return make_radix_shape(device.info(), elements, at).tiling; });

  const KernelMaker maker = key_maker(device, primitive, key, value, descending, max_count);
  if (path_ == TilePath::look_back) {
    state_bytes_ = 4 * state_words(device.info(), max_count);
    temporary_bytes_ = OneSweepStorage(*this, most_tiles).layout.bytes();
    in_parallel(device, {[&] { make_histogram(maker, tuning); },
                         [&] { pass_ = pass_maker(maker, tuning).make("sort/radix_one_sweep"); }});
  } else {
    make_count_scan_scatter(device, measured, maker, tuning, most_tiles, max_count);
  }
}

void RadixPasses::make_histogram(KernelMaker maker, const RadixTuning& tuning) {
  const uint32_t passes = count(8 * elements_.key_bytes);
  constexpr uint32_t word = 4, beside = 256;
  const uint64_t counts = (passes + 1) / 2 * shape_.digits();  // A word holds the counts of two passes.
  const uint32_t copies = tuning.counting.copies(counts * word, info_.limits.workgroup_memory_bytes - beside);
  counted_ = make_counting_tiling(info_, elements_.key_bytes, tuning);
  maker.tiling(counted_).define("WEFT_DIGIT_BITS", std::to_string(shape_.digit_bits));
  maker.define("WEFT_PASSES", std::to_string(passes)).define("WEFT_COPIES", std::to_string(copies));
  histogram_ = maker.make("sort/radix_histogram");
  const uint32_t resident = histogram_.resident_workgroups();
  groups_ = std::max(1u, resident > 0 ? resident : tuning.counting.groups);
}

void RadixPasses::make_count_scan_scatter(const Device& device, const Tuning& measured, const KernelMaker& maker,
                                          const RadixTuning& tuning, uint64_t most_tiles, uint64_t max_count) {
  const bool wide = max_count > UINT32_MAX;
  const Element index = index_element(wide);
  const Operator sum =
      wide ? Operator::custom("sum of indices", "T(weft_add(a.at, b.at))", "T(uvec2(0u))", true) : Operator::sum();
  const Scan::Options scan{.kind = ScanKind::exclusive, .path = TilePath::reduce_then_scan, .tuning = measured};
  KernelMaker counts = maker;
  shape_.counting(device.info()).define(counts);
  in_parallel(device, {[&] { scan_.emplace(device, index, sum, most_tiles * most_digits, scan); },
                       [&] { counts_ = counts.make("sort/radix_counts"); },
                       [&] { pass_ = pass_maker(maker, tuning).make("sort/radix_scatter"); }});
  temporary_bytes_ = CountStorage(*this, most_tiles).layout.bytes();
}

KernelMaker RadixPasses::pass_maker(KernelMaker maker, const RadixTuning& tuning) const {
  shape_.define(maker);
  return maker.workgroups_per_multiprocessor(tuning.workgroups_per_multiprocessor);
}

RadixBuffers RadixPasses::record(Recorder& recorder, const Ways& ways, uint32_t begin, uint32_t end,
                                 const Region& temporary, const ResolvedCount& count) const {
  const uint32_t passes = this->count(end - begin), width = shape_.width(end - begin);
  if (passes == 0) return ways.in;
  if (path_ == TilePath::look_back) count_all_digits(recorder, ways.in.keys, begin, end, temporary, count);
  // The last pass writes to `out`, unless it would also read from it because `in` shares its memory.
  const bool other_first = ways.in_place || passes % 2 == 0;
  Pass pass{ways.in, {}, 0, begin, 0};
  for (; pass.number < passes; ++pass.number, pass.begin += width) {
    if (pass.number > 0) pass.from = pass.to;
    pass.to = (pass.number % 2 == 0) == other_first ? ways.other : ways.out;
    pass.mask = (1u << std::min(width, end - pass.begin)) - 1;
    if (path_ == TilePath::look_back) {
      one_sweep(recorder, pass, passes, temporary, count);
    } else {
      count_scan_scatter(recorder, pass, temporary, count);
    }
  }
  return pass.to;
}

void RadixPasses::count_all_digits(Recorder& recorder, uint64_t keys, uint32_t begin, uint32_t end,
                                   const Region& temporary, const ResolvedCount& count) const {
  const OneSweepStorage storage(*this, shape_.tiling.tiles(count.most));
  const uint32_t passes = this->count(end - begin);
  constexpr std::array<std::byte, 4> zero{};
  recorder.fill_region(temporary.part(0, passes == 1 ? storage.states[1].offset : storage.layout.bytes()), zero);
  const auto groups = uint32_t(std::min<uint64_t>(counted_.tiles(count.most), groups_));
  const HistogramBlock block{keys,
                             storage.totals.address(temporary),
                             count.address,
                             count.most,
                             begin,
                             shape_.width(end - begin),
                             end,
                             passes,
                             count_option(count),
                             groups};
  recorder.dispatch(histogram_, {groups, 1, 1}, block);
}

void RadixPasses::one_sweep(Recorder& recorder, const Pass& pass, uint32_t passes, const Region& temporary,
                            const ResolvedCount& count) const {
  const uint64_t tiles = shape_.tiling.tiles(count.most);
  const OneSweepStorage storage(*this, tiles);
  const auto states = [&](uint32_t number) { return storage.states[number % 2].address(temporary); };
  const bool clears_next = pass.number > 0 && pass.number + 1 < passes;
  const OneSweepBlock block{radix_block(pass.from, pass.to, pass.begin, pass.mask, count),
                            storage.tickets.address(temporary) + 4 * pass.number,
                            storage.totals.address(temporary) + pass.number * shape_.digits() * index_bytes_,
                            states(pass.number), clears_next ? states(pass.number + 1) : 0};
  recorder.dispatch(pass_, spread(tiles, info_.limits), block);
}

void RadixPasses::count_scan_scatter(Recorder& recorder, const Pass& pass, const Region& temporary,
                                     const ResolvedCount& count) const {
  const uint64_t tiles = shape_.tiling.tiles(count.most);
  const CountStorage storage(*this, tiles);
  const Groups groups = spread(tiles, info_.limits);
  const RadixTilesBlock block{radix_block(pass.from, pass.to, pass.begin, pass.mask, count),
                              storage.counts.address(temporary), uint32_t(tiles), 0};
  recorder.dispatch(counts_, groups, block);
  const Region counts = storage.counts.in(temporary);
  scan_->record(
      recorder,
      {.input = counts, .output = counts, .count = tiles * shape_.digits(), .temporary = storage.scan.in(temporary)});
  recorder.dispatch(pass_, groups, block);
}

}  // namespace weft::algorithms
