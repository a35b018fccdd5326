#include <weft/find_neighbours.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <weft/scan.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kept_plans.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/number_text.h"
#include "algorithms/src/base/temporary_layout.h"
#include "algorithms/src/pairs/neighbour_search.h"
#include "algorithms/src/pairs/pair_offsets.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/trees.h"
#include "algorithms/src/trees/one_each.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

// Push constants of shaders/kernels/pairs/neighbours.glsl.
struct Block {
  uint64_t points, keys, sorted, nodes, indices, bounds, offsets, neighbours, capacity, found, count_on_device, count;
  uint32_t squared_radius, reach, per_unit, lists, options, unused;
};

Kernel make_kernel(const Device& device, const KdPoints& points, const Tiling& tiling,
                   const FindNeighbours::Options& options) {
  KernelMaker maker = points.maker(device, "FindNeighbours", tiling);
  if (!options.where.empty()) {
    maker.expression("WEFT_WHERE", "condition", options.where, "of two " + points.element.name());
  }
  const bool by_grid = options.method == FindNeighbours::Method::uniform_grid;
  return maker.make(by_grid ? "pairs/neighbours_grid" : "pairs/neighbours_bvh");
}

struct Storage {
  Storage(uint64_t search_bytes, uint64_t scan_bytes)
      : search(layout.add(search_bytes)), scan(layout.add(scan_bytes)) {}

  TemporaryLayout layout;
  TemporaryLayout::Part search, scan;
};

}  // namespace

struct FindNeighbours::Impl {
  Impl(const Device& its_device, const KdPoints& its_points, uint64_t its_max_count, const Options& options);

  Device device;
  KdPoints points;
  uint64_t max_count;
  Tiling tiling;
  NeighbourSearch search;
  Scan scan;
  Storage storage;
  Kernel kernel;

  // Also aligns the temporary storage.
  ResolvedCount check(Recorder& recorder, Arguments& given) const;
};

FindNeighbours::Impl::Impl(const Device& its_device, const KdPoints& its_points, uint64_t its_max_count,
                           const Options& options)
    : device(its_device),
      points(its_points),
      max_count(its_max_count),
      tiling(one_each(device.info())),
      search(device, points, max_count, options.method, options.tuning),
      scan(scan_of_lengths(device, max_count, sizeof(uint64_t), options.tuning)),
      storage(search.temporary_bytes(), scan.temporary_bytes()),
      kernel(make_kernel(device, points, tiling, options)) {}

FindNeighbours::FindNeighbours(const Device& device, const Element& of, const std::string& point, uint64_t max_count,
                               const Options& options) {
  const PlanNote note(device, FindNeighboursParameters{of, point, max_count, options});
  const KdPoints points{3, of, point};
  check_kd_plan("FindNeighbours", points, max_count, "points");
  impl_ = std::make_shared<Impl>(device, points, max_count, options);
}

FindNeighbours::FindNeighbours(const Device& device, uint64_t max_count, const Options& options)
    : FindNeighbours(device, kd_point("FindNeighbours", 3), "x.at", max_count, options) {}

FindNeighbours::FindNeighbours(const Device& device, uint64_t max_count)
    : FindNeighbours(device, max_count, Options{}) {}

uint64_t FindNeighbours::temporary_bytes() const { return with_slack(impl_->storage.layout.bytes()); }

ResolvedCount FindNeighbours::Impl::check(Recorder& recorder, Arguments& given) const {
  if (!(given.radius >= 0) || std::isinf(given.radius * given.radius)) {
    core::invalid("FindNeighbours",
                  "'radius' is " + number_text(given.radius) + "; it and its square must be finite, and not negative.");
  }
  ArgumentChecks checks("FindNeighbours", device, recorder);
  given.temporary = checks.temporary(given.temporary, with_slack(storage.layout.bytes()));
  const uint64_t known = std::min(given.count.value(), max_count);  // 0 if it is on the device
  checks.region("offsets", given.offsets, (known + 1) * sizeof(uint64_t), alignof(uint64_t));
  const Region ends = given.offsets.part(sizeof(uint64_t), given.offsets.bytes - sizeof(uint64_t));
  const ResolvedCount count = checks.count(given.count, max_count,
                                           {{"points", given.points, points.element.bytes(), points.element.align()},
                                            {"offsets", ends, sizeof(uint64_t), alignof(uint64_t)}});
  checks.region("offsets", given.offsets, (count.most + 1) * sizeof(uint64_t), alignof(uint64_t));
  const uint64_t capacity = given.neighbours.bytes / sizeof(uint32_t);
  checks.region("neighbours", given.neighbours, capacity * sizeof(uint32_t), capacity > 0 ? alignof(uint32_t) : 1);
  checks.written("found", given.found, max_count < 2 ? 0 : max_count * (max_count - 1));
  checks.overlaps();
  return count;
}

void FindNeighbours::record(Recorder& recorder, const Arguments& given) const {
  const Impl& plan = *impl_;
  Arguments arguments = given;
  const ResolvedCount count = plan.check(recorder, arguments);
  const float reach = reach_of(arguments.radius);
  const SearchedPoints searched = plan.search.record(recorder, arguments.points, reach, arguments.count, count,
                                                     plan.storage.search.in(arguments.temporary));
  const Region first = arguments.offsets.part(0, sizeof(uint64_t)),
               ends = arguments.offsets.part(sizeof(uint64_t), sizeof(uint64_t) * count.most);
  Block block{arguments.points.address(),
              searched.keys,
              searched.sorted,
              searched.nodes,
              searched.indices,
              searched.bounds,
              ends.address(),
              arguments.neighbours.address(),
              arguments.neighbours.bytes / sizeof(uint32_t),
              arguments.found.region().address(),
              count.address,
              count.most,
              std::bit_cast<uint32_t>(arguments.radius * arguments.radius),
              std::bit_cast<uint32_t>(reach),
              std::bit_cast<uint32_t>(1 / reach),
              0,
              count_option(count) | written_option(arguments.found),
              0};
  const Groups groups = spread(plan.tiling.tiles(count.most), plan.device.info().limits);
  recorder.dispatch(plan.kernel, groups, block);
  recorder.fill_region(first, std::array<std::byte, 4>{});
  plan.scan.record(recorder, {.input = ends,
                              .output = ends,
                              .count = arguments.count,
                              .temporary = plan.storage.scan.in(arguments.temporary)});
  block.offsets = first.address();
  block.lists = 1;
  recorder.dispatch(plan.kernel, groups, block);
}

uint64_t find_neighbours(Stream& stream, const View<const std::array<float, 3>>& points, float radius,
                         const View<uint64_t>& offsets, const View<uint32_t>& neighbours) {
  const uint64_t max_count = kept_plan_count(points.size());
  const Element point = kd_point("find_neighbours", 3);
  const auto plan = stream.cached<FindNeighbours>(plan_key("find_neighbours", point, {}, max_count), [&] {
    return std::make_shared<FindNeighbours>(stream.device(), max_count);
  });
  return run_counted(stream, plan->temporary_bytes(), [&](const Region& found, const Region& temporary) {
    plan->record(stream, {.points = points.region(),
                          .offsets = offsets.region(),
                          .neighbours = neighbours.region(),
                          .found = found,
                          .count = points.size(),
                          .radius = radius,
                          .temporary = temporary});
  });
}

}  // namespace weft
