#include "algorithms/src/pairs/pair_traversal.h"

#include <algorithm>

#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/pairs/pair_statistics.h"
#include "algorithms/src/trees/one_each.h"

namespace weft::algorithms {
namespace {

// Push constants of shaders/kernels/pairs/pairs_bvh.comp.
struct TraversalBlock {
  uint64_t primitives, vertices, boxes, nodes, indices, bounds, offsets, pairs, found, capacity, count_on_device, count;
  uint32_t options, unused;
};

Lbvh hierarchy_of(const Device& device, uint64_t max_count, const std::optional<Tuning>& tuning) {
  const BvhPrimitive box = BvhPrimitive::of(box_bits(), corner_of_bits("x.low"), corner_of_bits("x.high"));
  return Lbvh(device, box, max_count, {.tuning = tuning});
}

}  // namespace

PairTraversal::Storage::Storage(uint64_t count, uint64_t offsets_bytes, uint64_t steps_bytes)
    : nodes(layout.add(sizeof(BvhNode) * count)),
      indices(layout.add(4 * count)),
      leaf_parents(layout.add(4 * count)),
      bounds(layout.add(sizeof(Box<3>))),
      offsets(layout.add(offsets_bytes)),
      steps(layout.add(steps_bytes)) {}

PairTraversal::PairTraversal(const Device& device, uint64_t max_count, const PairFilter& filter,
                             const std::optional<Tuning>& tuning)
    : limits_(device.info().limits),
      tiling_(one_each(device.info())),
      hierarchy_(hierarchy_of(device, max_count, tuning)),
      offsets_(device, max_count, candidate_index_bytes(max_count), tuning),
      storage_(max_count, offsets_.bytes(), std::max(hierarchy_.temporary_bytes(), offsets_.temporary_bytes())) {
  KernelMaker maker = KernelMaker(device, "FindPairs").tiling(tiling_);
  maker.define("WEFT_SCALAR", "uint").define("T_WORDS", "1");
  filter.define(maker);
  if (candidate_index_bytes(max_count) == 8) maker.define("WEFT_WIDE_INDEX");
  count_ = maker.make("pairs/pairs_bvh");
  fill_ = maker.define("WEFT_FILL").make("pairs/pairs_bvh");
}

void PairTraversal::record(Recorder& recorder, const PairPrimitives& of, const FoundPairs& to, const Count& count,
                           const ResolvedCount& resolved, const Region& temporary) const {
  const Region nodes = storage_.nodes.in(temporary), indices = storage_.indices.in(temporary),
               bounds = storage_.bounds.in(temporary), offsets = storage_.offsets.in(temporary),
               steps = storage_.steps.in(temporary);
  hierarchy_.record(recorder, {.primitives = of.boxes,
                               .nodes = nodes,
                               .indices = indices,
                               .leaf_parents = storage_.leaf_parents.in(temporary),
                               .bounds = bounds,
                               .count = count,
                               .temporary = steps});
  TraversalBlock block{of.primitives.address(),
                       of.vertices.address(),
                       of.boxes.address(),
                       nodes.address(),
                       indices.address(),
                       bounds.address(),
                       offsets_.lengths(offsets, resolved.most).address(),
                       to.pairs.address(),
                       to.found.region().address(),
                       to.capacity(),
                       resolved.address,
                       resolved.most,
                       count_option(resolved) | written_option(to.found),
                       0};
  const Groups groups = spread(tiling_.tiles(resolved.most), limits_);
  recorder.dispatch(count_, groups, block);
  offsets_.record(recorder, offsets, count, resolved.most, steps);
  block.offsets = offsets_.address(offsets);
  recorder.dispatch(fill_, groups, block);
}

}  // namespace weft::algorithms
