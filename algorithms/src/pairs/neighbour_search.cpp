#include "algorithms/src/pairs/neighbour_search.h"

#include <bit>

#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/trees/one_each.h"

namespace weft::algorithms {
namespace {

constexpr uint32_t key_bits = 31;  // Of weft/kernels/pairs/cells.glsl: up to weft_large.

// Push constants of shaders/kernels/pairs/neighbours_keys.comp.
struct PointKeysBlock {
  uint64_t points, keys, indices, count_on_device, count;
  uint32_t per_unit, options;
};
// Push constants of shaders/kernels/pairs/neighbours_sorted.comp.
struct SortedBlock {
  uint64_t points, indices, sorted, count_on_device, count;
  uint32_t options, unused;
};

std::optional<Sort> make_sort(const Device& device, uint64_t max_count, FindNeighbours::Method method,
                              const std::optional<Tuning>& tuning) {
  if (method != FindNeighbours::Method::uniform_grid) return std::nullopt;
  return Sort(device, Element::of<uint32_t>(), Element::of<uint32_t>(), max_count,
              {.order = {.end_bit = key_bits}, .tuning = tuning});
}

std::optional<Lbvh> make_hierarchy(const Device& device, const KdPoints& points, uint64_t max_count,
                                   FindNeighbours::Method method, const std::optional<Tuning>& tuning) {
  if (method != FindNeighbours::Method::bvh) return std::nullopt;
  return Lbvh(device, {points.element, points.point, points.point, points.point}, max_count, {.tuning = tuning});
}

}  // namespace

float reach_of(float radius) { return radius * (1 + 0x1p-20f) + 0x1p-60f; }

NeighbourSearch::Storage::Storage(uint64_t cells, uint64_t leaves, uint64_t steps_bytes)
    : keys(layout.add(4 * cells)),
      sorted(layout.add(16 * cells)),
      nodes(layout.add(sizeof(BvhNode) * leaves)),
      leaf_parents(layout.add(4 * leaves)),
      bounds(layout.add(leaves > 0 ? sizeof(Box<3>) : 0)),
      indices(layout.add(4 * (cells + leaves))),
      steps(layout.add(steps_bytes)) {}

NeighbourSearch::NeighbourSearch(const Device& device, const KdPoints& points, uint64_t max_count,
                                 FindNeighbours::Method method, const std::optional<Tuning>& tuning)
    : limits_(device.info().limits),
      tiling_(one_each(device.info())),
      sort_(make_sort(device, max_count, method, tuning)),
      hierarchy_(make_hierarchy(device, points, max_count, method, tuning)),
      storage_(sort_ ? max_count : 0, hierarchy_ ? max_count : 0,
               sort_ ? sort_->temporary_bytes() : hierarchy_->temporary_bytes()) {
  if (!sort_) return;
  const KernelMaker maker = points.maker(device, "FindNeighbours", tiling_);
  keys_ = maker.make("pairs/neighbours_keys");
  sorted_ = maker.make("pairs/neighbours_sorted");
}

void NeighbourSearch::sort(Recorder& recorder, const Region& points, float cell, const Count& count,
                           const ResolvedCount& resolved, const Region& temporary) const {
  const Region keys = storage_.keys.in(temporary).part(0, 4 * resolved.most),
               indices = storage_.indices.in(temporary).part(0, 4 * resolved.most);
  const Groups groups = spread(tiling_.tiles(resolved.most), limits_);
  const PointKeysBlock keys_block{points.address(),      keys.address(), indices.address(),
                                  resolved.address,      resolved.most,  std::bit_cast<uint32_t>(1 / cell),
                                  count_option(resolved)};
  recorder.dispatch(keys_, groups, keys_block);
  sort_->record(recorder, {.keys = keys,
                           .values = indices,
                           .keys_out = keys,
                           .values_out = indices,
                           .count = count,
                           .temporary = storage_.steps.in(temporary)});
  const SortedBlock sorted_block{points.address(),
                                 indices.address(),
                                 storage_.sorted.address(temporary),
                                 resolved.address,
                                 resolved.most,
                                 count_option(resolved),
                                 0};
  recorder.dispatch(sorted_, groups, sorted_block);
}

SearchedPoints NeighbourSearch::record(Recorder& recorder, const Region& points, float cell, const Count& count,
                                       const ResolvedCount& resolved, const Region& temporary) const {
  if (sort_) {
    sort(recorder, points, cell, count, resolved, temporary);
    return {.keys = storage_.keys.address(temporary), .sorted = storage_.sorted.address(temporary)};
  }
  hierarchy_->record(recorder, {.primitives = points,
                                .nodes = storage_.nodes.in(temporary),
                                .indices = storage_.indices.in(temporary),
                                .leaf_parents = storage_.leaf_parents.in(temporary),
                                .bounds = storage_.bounds.in(temporary),
                                .count = count,
                                .temporary = storage_.steps.in(temporary)});
  return {.nodes = storage_.nodes.address(temporary),
          .indices = storage_.indices.address(temporary),
          .bounds = storage_.bounds.address(temporary)};
}

}  // namespace weft::algorithms
