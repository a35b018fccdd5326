#include "algorithms/src/trees/lbvh_merges.h"

#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/trees/one_each.h"

namespace weft::algorithms {
namespace {

// Clusters of a tile, and those that a step leaves of them. The same on every device, because the tree depends on them;
// every device takes such a workgroup.
constexpr uint32_t tile_clusters = 128, clusters_left = tile_clusters / 4, cluster_bytes = 32, merge_bytes = 16;

// Push constants of shaders/kernels/trees/lbvh_merge.glsl.
struct MergeBlock {
  uint64_t primitives, vertices, indices, clusters, clusters_left, merges, leaf_links, count_on_device, count;
  uint32_t tile_leaves, goal, height, options;
};
// Push constants of shaders/kernels/trees/lbvh_order.comp.
struct OrderBlock {
  uint64_t sorted, merges, leaf_links, indices, nodes, leaf_parents, count_on_device, count;
  uint32_t options, unused;
};

Tiling tiling_of(const DeviceInfo& device) {
  Tiling tiling = one_each(device);
  tiling.workgroup = tile_clusters;
  return tiling;
}

uint64_t tiles_of(uint64_t leaves, uint64_t tile_leaves) { return leaves / tile_leaves + (leaves % tile_leaves != 0); }

}  // namespace

LbvhMerges::Storage::Storage(uint64_t count)
    : merges(layout.add(merge_bytes * count)),
      leaf_links(layout.add(4 * count)),
      clusters{layout.add(tiles_of(count, tile_clusters) * clusters_left * cluster_bytes),
               layout.add(tiles_of(count, 4 * tile_clusters) * clusters_left * cluster_bytes)} {}

LbvhMerges::LbvhMerges(KernelMaker maker, uint64_t max_count, uint32_t code_bits)
    : limits_(maker.device().info().limits),
      code_bits_(code_bits),
      tiling_(tiling_of(maker.device().info())),
      storage_(max_count) {
  maker.tiling(tiling_);
  order_ = maker.make("trees/lbvh_order");
  merge_leaves_ = maker.make("trees/lbvh_merge_leaves");
  merge_clusters_ = maker.make("trees/lbvh_merge_clusters");
}

void LbvhMerges::merge(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const {
  MergeBlock block{arguments.primitives.address(), arguments.vertices.address(), arguments.sorted.address(), 0, 0,
                   storage_.merges.address(arguments.temporary), storage_.leaf_links.address(arguments.temporary),
                   count.address, count.most, tile_clusters, clusters_left,
                   // A cluster of a tree that is no deeper than weft/lbvh.h promises.
                   code_bits_ - 1, count_option(count)};
  uint64_t tile_leaves = tile_clusters;
  for (uint32_t step = 0;; ++step, tile_leaves *= 4) {
    const bool is_last = tile_leaves >= count.most;
    block.clusters = storage_.clusters[(step + 1) % 2].address(arguments.temporary);
    block.clusters_left = storage_.clusters[step % 2].address(arguments.temporary);
    block.tile_leaves = uint32_t(tile_leaves);
    if (is_last) block.goal = 1;
    recorder.dispatch(step == 0 ? merge_leaves_ : merge_clusters_, spread(tiles_of(count.most, tile_leaves), limits_),
                      block);
    if (is_last) return;
  }
}

void LbvhMerges::order(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const {
  const OrderBlock block{arguments.sorted.address(),
                         storage_.merges.address(arguments.temporary),
                         storage_.leaf_links.address(arguments.temporary),
                         arguments.indices.address(),
                         arguments.nodes.address(),
                         arguments.leaf_parents.address(),
                         count.address,
                         count.most,
                         count_option(count),
                         0};
  recorder.dispatch(order_, spread(tiling_.tiles(count.most), limits_), block);
}

void LbvhMerges::record(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const {
  merge(recorder, arguments, count);
  order(recorder, arguments, count);
}

}  // namespace weft::algorithms
