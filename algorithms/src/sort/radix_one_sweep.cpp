#include "algorithms/src/sort/radix_one_sweep.h"

#include <algorithm>
#include <array>
#include <string>

#include "algorithms/src/base/in_parallel.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/temporary_layout.h"
#include "algorithms/src/base/tile_carry.h"

namespace weft::algorithms {
namespace {

// Push constants of shaders/kernels/sort/one_sweep_arguments.glsl.
struct OneSweepBlock {
  RadixBlock sort;
  uint64_t ticket, totals, states, next_states;
};
// Push constants of shaders/kernels/sort/radix_histogram_arguments.glsl.
struct HistogramBlock {
  uint64_t keys, totals, tickets, counted, count_on_device, count;
  uint32_t begin, width, end, passes, options, groups, first_left_out, unused;
};

constexpr uint32_t most_passes = 64;  // Of one bit each.
constexpr uint64_t most_totals = 64 / 8 * uint64_t{most_digits};

uint64_t state_words(const RadixMaking& making) {
  if (has_short_states(making.max_count)) return 1;
  const uint64_t index_words = making.index_bytes() / 4;
  return has_int64_atomics(making.device.info()) ? 2 * index_words : 1 + 2 * index_words;
}

}  // namespace

// A state of one word holds a status and a count or index below 2^30: shaders/device/digit_states.glsl.
bool has_short_states(uint64_t max_count) { return max_count < uint64_t{1} << 30; }

struct RadixOneSweep::Storage {
  Storage(const RadixOneSweep& of, uint64_t tiles)
      : tickets(layout.add(4 * most_passes)),
        totals(layout.add(most_totals * of.index_bytes_)),
        states{layout.add(tiles * most_digits * of.state_bytes_), layout.add(tiles * most_digits * of.state_bytes_)},
        counted(layout.add(4)) {}

  TemporaryLayout layout;
  TemporaryLayout::Part tickets;    // One for each pass.
  TemporaryLayout::Part totals;     // Of all digits of all passes.
  TemporaryLayout::Part states[2];  // Of one pass each; passes take turns. Rows of digits fill cache lines.
  TemporaryLayout::Part counted;    // Workgroups that have counted.
};

RadixOneSweep::RadixOneSweep(const RadixMaking& making)
    : limits_(making.device.info().limits),
      shape_(making.shape),
      index_bytes_(making.index_bytes()),
      state_bytes_(4 * state_words(making)),
      temporary_bytes_(Storage(*this, making.most_tiles).layout.bytes()),
      leaves_out_from_(uint64_t{1} << making.tuning.leaves_out_from) {
  const char* pass = shape_.is_serial() ? "sort/radix_one_sweep_serial" : "sort/radix_one_sweep";
  in_parallel(making.device, {[&] { make_histogram(making); }, [&] { pass_ = making.pass_kernel(pass); }});
}

void RadixOneSweep::make_histogram(const RadixMaking& making) {
  const RadixTuning& tuning = making.tuning;
  const uint32_t passes = shape_.passes(8 * making.elements.key_bytes);
  KernelMaker maker = making.maker;
  maker.define("WEFT_DIGIT_BITS", std::to_string(shape_.digit_bits));
  maker.define("WEFT_PASSES", std::to_string(passes));
  if (shape_.is_serial()) {
    counted_ = shape_.tiling;
    histogram_ = maker.tiling(counted_).make("sort/radix_histogram_serial");
    groups_ = std::max(tuning.counting.groups, 2 * histogram_.resident_workgroups());
    return;
  }
  constexpr uint32_t word = 4, beside = 256;
  const uint64_t counts = (passes + 1) / 2 * shape_.digits();  // A word holds the counts of two passes.
  const uint32_t copies = tuning.counting.copies(counts * word, limits_.workgroup_memory_bytes - beside);
  counted_ = make_counting_tiling(making.device.info(), making.elements.key_bytes, tuning);
  maker.tiling(counted_).define("WEFT_COPIES", std::to_string(copies));
  histogram_ = maker.make("sort/radix_histogram");
  const uint32_t resident = histogram_.resident_workgroups();
  groups_ = std::max(1u, resident > 0 ? resident : tuning.counting.groups);
}

void RadixOneSweep::count_digits(Recorder& recorder, uint64_t keys, uint32_t begin, uint32_t end, bool in_place,
                                 const Region& temporary, const ResolvedCount& count) const {
  const Storage storage(*this, shape_.tiling.tiles(count.most));
  const uint32_t passes = shape_.passes(end - begin);
  constexpr std::array<std::byte, 4> zero{};
  recorder.fill_region(temporary.part(0, passes == 1 ? storage.states[1].offset : storage.layout.bytes()), zero);
  const auto groups = uint32_t(std::min<uint64_t>(counted_.tiles(count.most), groups_));
  const uint32_t first_left_out = count.most < leaves_out_from_ ? passes : in_place ? 0 : 1;
  const HistogramBlock block{keys,
                             storage.totals.address(temporary),
                             storage.tickets.address(temporary),
                             storage.counted.address(temporary),
                             count.address,
                             count.most,
                             begin,
                             shape_.width(end - begin),
                             end,
                             passes,
                             count_option(count),
                             groups,
                             first_left_out,
                             0};
  recorder.dispatch(histogram_, {groups, 1, 1}, block);
}

void RadixOneSweep::record(Recorder& recorder, const RadixPass& pass, uint32_t passes, const Region& temporary,
                           const ResolvedCount& count) const {
  const uint64_t tiles = shape_.tiling.tiles(count.most);
  const Storage storage(*this, tiles);
  const auto states = [&](uint32_t number) { return storage.states[number % 2].address(temporary); };
  const bool clears_next = pass.number > 0 && pass.number + 1 < passes;
  const OneSweepBlock block{radix_block(pass.from, pass.to, pass.begin, pass.mask, count),
                            storage.tickets.address(temporary) + 4 * pass.number,
                            storage.totals.address(temporary) + pass.number * shape_.digits() * index_bytes_,
                            states(pass.number), clears_next ? states(pass.number + 1) : 0};
  recorder.dispatch(pass_, spread(tiles, limits_), block);
}

}  // namespace weft::algorithms
