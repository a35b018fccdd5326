#include <bit>

#include <weft/kd_tree.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/trees.h"
#include "algorithms/src/trees/kd_points.h"
#include "algorithms/src/trees/one_each.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

// Push constants of shaders/kernels/trees/kd_nearest.comp.
struct KdNearestBlock {
  uint64_t nodes, queries, indices, squared_distances;
  uint64_t count_on_device, count, node_count_on_device, node_count;
  uint32_t squared_radius, options;
};

}  // namespace

struct KdNearest::Impl {
  Device device;
  KdPoints queries;
  uint32_t neighbours;
  uint64_t max_count;
  Tiling tiling;
  Kernel kernel;
};

KdNearest::KdNearest(const Device& device, uint32_t dimensions, uint32_t neighbours, const Element& of,
                     const std::string& point, uint64_t max_count) {
  const PlanNote note(device, KdNearestParameters{dimensions, neighbours, of, point, max_count});
  const KdPoints queries{dimensions, of, point};
  check_kd_plan("KdNearest", queries, max_count, "queries");
  if (neighbours == 0 || neighbours > max_neighbours) {
    core::invalid("KdNearest", std::to_string(neighbours) + " neighbours of each query; there may be 1 to " +
                                   std::to_string(max_neighbours) + ".");
  }
  const Tiling tiling = one_each(device.info());
  KernelMaker maker = queries.maker(device, "KdNearest", tiling);
  Kernel kernel = maker.define("WEFT_NEIGHBOURS", std::to_string(neighbours)).make("trees/kd_nearest");
  impl_ = std::make_shared<Impl>(Impl{device, queries, neighbours, max_count, tiling, std::move(kernel)});
}

KdNearest::KdNearest(const Device& device, uint32_t dimensions, uint32_t neighbours, uint64_t max_count)
    : KdNearest(device, dimensions, neighbours, kd_point("KdNearest", dimensions), "x.at", max_count) {}

void KdNearest::record(Recorder& recorder, const Arguments& arguments) const {
  const Impl& plan = *impl_;
  if (!(arguments.squared_radius >= 0)) core::invalid("KdNearest", "'squared_radius' is negative or NaN.");
  ArgumentChecks checks("KdNearest", plan.device, recorder);
  const Element& of = plan.queries.element;
  const ResolvedCount nodes =
      checks.count(arguments.node_count, KdTree::max_points,
                   {{"nodes", arguments.nodes, plan.queries.node_bytes(), plan.queries.node_align()}}, "node_count");
  const ResolvedCount count =
      checks.count(arguments.count, plan.max_count,
                   {{"queries", arguments.queries, of.bytes(), of.align()},
                    {"indices", arguments.indices, 4 * plan.neighbours, 4},
                    {"squared_distances", arguments.squared_distances, 4 * plan.neighbours, 4}});
  checks.overlaps();
  if (count.most == 0) return;
  const KdNearestBlock block{arguments.nodes.address(),
                             arguments.queries.address(),
                             arguments.indices.address(),
                             arguments.squared_distances.address(),
                             count.address,
                             count.most,
                             nodes.address,
                             nodes.most,
                             std::bit_cast<uint32_t>(arguments.squared_radius + 0.0f),  // -0 becomes 0.
                             count_option(count) | second_count_option(nodes)};
  recorder.dispatch(plan.kernel, spread(plan.tiling.tiles(count.most), plan.device.info().limits), block);
}

}  // namespace weft
