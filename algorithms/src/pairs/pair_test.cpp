#include "algorithms/src/pairs/pair_test.h"

#include <algorithm>

#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/pairs/pairs_tuning.h"

namespace weft::algorithms {
namespace {

// Push constants of shaders/kernels/pairs/pairs_test.comp.
struct TestBlock {
  uint64_t primitives, vertices, boxes, indices, ranges, offsets, group_pairs, pairs, found, capacity, count_on_device,
      count;
  uint32_t options, unused;
};

uint64_t candidates_of(uint64_t count) { return count % 2 == 0 ? count / 2 * (count - 1) : (count - 1) / 2 * count; }

Tiling tiling_of(const DeviceInfo& device, const TileTuning& tuning) {
  Tiling tiling = make_tiling(device, 1, tuning);
  tiling.rows *= tiling.pack;  // Neighbouring lanes test neighbouring candidates.
  tiling.pack = 1;
  return tiling;
}

}  // namespace

uint32_t candidate_index_bytes(uint64_t max_count) { return candidates_of(max_count) > most_short_offset ? 8 : 4; }

PairTest::PairTest(const Device& device, uint64_t max_count, CandidatesOf source, const PairFilter& filter,
                   const std::optional<Tuning>& tuning)
    : max_count_(max_count), index_bytes_(candidate_index_bytes(max_count)) {
  const PairsTuning values = Tuner(tuned_pairs, device.info(), tuning_of(device, tuning), 4).at(max_count);
  most_groups_ = std::min(values.groups, device.info().limits.max_workgroup_count[0]);
  tiling_ = tiling_of(device.info(), values.tile);
  KernelMaker maker = KernelMaker(device, "FindPairs").tiling(tiling_);
  maker.define("WEFT_SCALAR", "uint").define("T_WORDS", "1");
  filter.define(maker);
  if (source == CandidatesOf::all) maker.define("WEFT_EVERY_PAIR");
  if (source == CandidatesOf::cells) maker.define("WEFT_CELLS");
  if (index_bytes_ == 8) maker.define("WEFT_WIDE_INDEX");
  count_ = maker.make("pairs/pairs_test");
  fill_ = maker.define("WEFT_FILL").make("pairs/pairs_test");
}

uint64_t PairTest::groups(uint64_t count) const {
  return std::min<uint64_t>(most_groups_, tiling_.tiles(candidates_of(count)));
}

uint64_t PairTest::temporary_bytes() const { return round_up_16(groups(max_count_) * index_bytes_); }

void PairTest::record(Recorder& recorder, const PairCandidates& candidates, const FoundPairs& to,
                      const ResolvedCount& count, const Region& temporary) const {
  const TestBlock block{candidates.primitives,
                        candidates.vertices,
                        candidates.boxes,
                        candidates.indices,
                        candidates.ranges,
                        candidates.offsets,
                        temporary.address(),
                        to.pairs.address(),
                        to.found.region().address(),
                        to.capacity(),
                        count.address,
                        count.most,
                        count_option(count) | written_option(to.found),
                        0};
  const Groups all{uint32_t(groups(count.most))};
  recorder.dispatch(count_, all, block);
  recorder.dispatch(fill_, all, block);
}

}  // namespace weft::algorithms
