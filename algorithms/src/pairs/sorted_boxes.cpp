#include "algorithms/src/pairs/sorted_boxes.h"

#include <algorithm>
#include <bit>

#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/pairs/pair_statistics.h"
#include "algorithms/src/trees/one_each.h"

namespace weft::algorithms {
namespace {

// Push constants of shaders/kernels/pairs/pairs_keys.comp.
struct BoxKeysBlock {
  uint64_t boxes, statistics, sweep, keys, indices, count_on_device, count;
  uint32_t cell_size, options;
};
// Push constants of shaders/kernels/pairs/pairs_ranges.comp.
struct RangesBlock {
  uint64_t boxes, keys, indices, sorted, ranges, lengths, sweep, count_on_device, count;
  uint32_t options, unused;
};

}  // namespace

SortedBoxes::Storage::Storage(uint64_t count, bool by_cells, uint64_t offsets_bytes, uint64_t steps_bytes)
    : boxes(layout.add(24 * count)),
      keys(layout.add(4 * count)),
      indices(layout.add(4 * count)),
      ranges(layout.add(by_cells ? 40 * count : 0)),
      offsets(layout.add(offsets_bytes)),
      statistics(layout.add(pair_statistics().bytes())),
      axis(layout.add(4)),
      steps(layout.add(steps_bytes)) {}

SortedBoxes::SortedBoxes(const Device& device, uint64_t max_count, const BoxOrder& order,
                         const std::optional<Tuning>& tuning)
    : limits_(device.info().limits),
      order_(order),
      tiling_(one_each(device.info())),
      statistics_(reduce_to_statistics(device, max_count, tuning)),
      sort_(device, Element::of<uint32_t>(), Element::of<uint32_t>(), max_count, {.tuning = tuning}),
      offsets_(device, max_count, candidate_index_bytes(max_count), tuning),
      storage_(max_count, order.by_cells, offsets_.bytes(),
               std::max({statistics_.temporary_bytes(), sort_.temporary_bytes(), offsets_.temporary_bytes()})) {
  KernelMaker maker = KernelMaker(device, "FindPairs").tiling(tiling_);
  if (order.by_cells) maker.define("WEFT_CELLS");
  keys_ = maker.make("pairs/pairs_keys");
  maker.define("WEFT_LENGTH_WORDS", std::to_string(candidate_index_bytes(max_count) / 4));
  ranges_ = maker.make("pairs/pairs_ranges");
}

void SortedBoxes::sort(Recorder& recorder, const Region& boxes, const Count& count, const ResolvedCount& resolved,
                       const Region& temporary) const {
  const Region keys = storage_.keys.in(temporary).part(0, 4 * resolved.most),
               indices = storage_.indices.in(temporary).part(0, 4 * resolved.most),
               statistics = storage_.statistics.in(temporary), steps = storage_.steps.in(temporary);
  statistics_.record(recorder, {.input = boxes, .output = statistics, .count = count, .temporary = steps});
  const BoxKeysBlock block{boxes.address(),
                           statistics.address(),
                           storage_.axis.address(temporary),
                           keys.address(),
                           indices.address(),
                           resolved.address,
                           resolved.most,
                           std::bit_cast<uint32_t>(order_.cell_size),
                           count_option(resolved)};
  recorder.dispatch(keys_, groups(resolved), block);
  sort_.record(
      recorder,
      {.keys = keys, .values = indices, .keys_out = keys, .values_out = indices, .count = count, .temporary = steps});
}

void SortedBoxes::find_candidates(Recorder& recorder, const Region& boxes, const Count& count,
                                  const ResolvedCount& resolved, const Region& temporary) const {
  const Region offsets = storage_.offsets.in(temporary);
  const RangesBlock block{boxes.address(),
                          storage_.keys.address(temporary),
                          storage_.indices.address(temporary),
                          storage_.boxes.address(temporary),
                          storage_.ranges.address(temporary),
                          offsets_.lengths(offsets, resolved.most).address(),
                          storage_.axis.address(temporary),
                          resolved.address,
                          resolved.most,
                          count_option(resolved),
                          0};
  recorder.dispatch(ranges_, groups(resolved), block);
  offsets_.record(recorder, offsets, count, resolved.most, storage_.steps.in(temporary));
}

PairCandidates SortedBoxes::record(Recorder& recorder, const Region& boxes, const Count& count,
                                   const ResolvedCount& resolved, const Region& temporary) const {
  sort(recorder, boxes, count, resolved, temporary);
  find_candidates(recorder, boxes, count, resolved, temporary);
  return {.boxes = storage_.boxes.address(temporary),
          .indices = storage_.indices.address(temporary),
          .ranges = storage_.ranges.address(temporary),
          .offsets = offsets_.address(storage_.offsets.in(temporary))};
}

}  // namespace weft::algorithms
