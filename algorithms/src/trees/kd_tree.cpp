#include <weft/kd_tree.h>

#include <algorithm>
#include <bit>
#include <vector>

#include <weft/sort.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/in_parallel.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/temporary_layout.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/trees.h"
#include "algorithms/src/trees/kd_points.h"
#include "algorithms/src/trees/one_each.h"

namespace weft {
namespace {

using namespace algorithms;

// Push constants of shaders/kernels/trees/kd_keys.comp.
struct KeysBlock {
  uint64_t points, indices, keys, count_on_device, count;
  uint32_t level, options;
};
// Push constants of shaders/kernels/trees/kd_nodes.comp.
struct NodesBlock {
  uint64_t points, indices, nodes, count_on_device, count;
  uint32_t options, unused;
};

// Levels whose points are sorted: all but the last, and at least one, which writes the indices.
uint32_t sorted_levels(uint64_t count) { return std::max(2u, uint32_t(std::bit_width(count))) - 1; }

// The passes of the sort: a subtree's index at this level has `level` bits, above the 32 of a coordinate.
size_t sort_of(uint32_t level) { return (level + 7) / 8; }

// Sorts by 4 bytes, 5 bytes, and so on: one digit more for every 8 levels.
std::vector<Sort> make_sorts(const Device& device, uint64_t max_count, const std::optional<Tuning>& tuning) {
  std::vector<Sort> sorts;
  for (size_t i = 0; i <= sort_of(sorted_levels(max_count) - 1); ++i) {
    sorts.emplace_back(device, Element::of<uint64_t>(), Element::of<uint32_t>(), max_count,
                       Sort::Options{.order = {.end_bit = uint32_t(32 + 8 * i)}, .tuning = tuning});
  }
  return sorts;
}

struct KdTreeStorage {
  KdTreeStorage(uint64_t count, uint64_t sort_bytes)
      : keys(layout.add(8 * count)), indices(layout.add(4 * count)), sort(layout.add(sort_bytes)) {}

  TemporaryLayout layout;
  TemporaryLayout::Part keys, indices, sort;
};

}  // namespace

struct KdTree::Impl {
  Impl(const Device& its_device, const KdPoints& its_points, uint64_t its_max_count, const Options& options);

  Device device;
  KdPoints points;
  uint64_t max_count;
  std::vector<Sort> sorts;  // By sort_of().
  KdTreeStorage storage;
  Tiling tiling;
  Kernel keys, nodes;

  Groups groups(const ResolvedCount& count) const { return spread(tiling.tiles(count.most), device.info().limits); }
  void sort_level(Recorder& recorder, uint32_t level, const Arguments& arguments, const ResolvedCount& count) const;
  void write_nodes(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const;
};

KdTree::Impl::Impl(const Device& its_device, const KdPoints& its_points, uint64_t its_max_count, const Options& options)
    : device(its_device),
      points(its_points),
      max_count(its_max_count),
      sorts(make_sorts(device, max_count, options.tuning)),
      storage(max_count, sorts.back().temporary_bytes()),
      tiling(one_each(device.info())) {
  const KernelMaker maker = points.maker(device, "KdTree", tiling);
  in_parallel(device, {[&] { keys = maker.make("trees/kd_keys"); }, [&] { nodes = maker.make("trees/kd_nodes"); }});
}

KdTree::KdTree(const Device& device, uint32_t dimensions, const Element& of, const std::string& point,
               uint64_t max_count, const Options& options) {
  const PlanNote note(device, KdTreeParameters{dimensions, of, point, max_count, options});
  const KdPoints points{dimensions, of, point};
  check_kd_plan("KdTree", points, max_count, "points");
  impl_ = std::make_shared<Impl>(device, points, max_count, options);
}

KdTree::KdTree(const Device& device, uint32_t dimensions, uint64_t max_count, const Options& options)
    : KdTree(device, dimensions, kd_point("KdTree", dimensions), "x.at", max_count, options) {}

KdTree::KdTree(const Device& device, uint32_t dimensions, uint64_t max_count)
    : KdTree(device, dimensions, max_count, Options{}) {}

uint64_t KdTree::temporary_bytes() const { return with_slack(impl_->storage.layout.bytes()); }

void KdTree::Impl::sort_level(Recorder& recorder, uint32_t level, const Arguments& arguments,
                              const ResolvedCount& count) const {
  const Region sorted = storage.keys.in(arguments.temporary).part(0, 8 * count.most);
  const Region indices = storage.indices.in(arguments.temporary).part(0, 4 * count.most);
  const KeysBlock block{
      arguments.points.address(), indices.address(), sorted.address(), count.address, count.most, level,
      count_option(count)};
  recorder.dispatch(keys, groups(count), block);
  sorts[sort_of(level)].record(recorder, {.keys = sorted,
                                          .values = indices,
                                          .keys_out = sorted,
                                          .values_out = indices,
                                          .count = arguments.count,
                                          .temporary = storage.sort.in(arguments.temporary)});
}

void KdTree::Impl::write_nodes(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const {
  const NodesBlock block{arguments.points.address(),
                         storage.indices.address(arguments.temporary),
                         arguments.nodes.address(),
                         count.address,
                         count.most,
                         count_option(count),
                         0};
  recorder.dispatch(nodes, groups(count), block);
}

void KdTree::record(Recorder& recorder, const Arguments& given) const {
  const Impl& plan = *impl_;
  ArgumentChecks checks("KdTree", plan.device, recorder);
  Arguments arguments = given;
  arguments.temporary = checks.temporary(given.temporary, temporary_bytes());
  const Element& of = plan.points.element;
  const ResolvedCount count =
      checks.count(given.count, plan.max_count,
                   {{"points", given.points, of.bytes(), of.align()},
                    {"nodes", given.nodes, plan.points.node_bytes(), plan.points.node_align()}});
  checks.overlaps();
  if (count.most == 0) return;
  for (uint32_t level = 0; level < sorted_levels(count.most); ++level) {
    plan.sort_level(recorder, level, arguments, count);
  }
  plan.write_nodes(recorder, arguments, count);
}

}  // namespace weft
