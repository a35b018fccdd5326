#include <weft/box_kd_tree.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>

#include <weft/reduce.h>
#include <weft/scan.h>
#include <weft/split.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/temporary_layout.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/trees.h"
#include "algorithms/src/trees/one_each.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

// Push constants of shaders/kernels/trees/box_kd_start.comp.
struct StartBlock {
  uint64_t primitives, boxes, entries, count_on_device, count;
  uint32_t options, unused;
};
// Push constants of shaders/kernels/trees/box_kd.glsl.
struct LevelBlock {
  uint64_t boxes, entries, sides, cells, bins, sums, levels, nodes, references, counts;
  uint32_t max_references, max_nodes, level, last_level, leaf_size, node_cost, leaf_cost, options;
};

// Sizes of what box_kd.glsl has in memory, and offsets of words of a level.
constexpr uint64_t entry_bytes = 8, cell_bytes = 48, bins_bytes = 3 * 16 * 2 * 4, sums_bytes = 24, level_bytes = 64;
constexpr uint64_t level_nodes = 0, level_sides = 16, level_entries = 24;

Element box_element() { return Element::structure({{"vec3", "low"}, {"vec3", "high"}}); }

Reduce make_bounds(const Device& device, uint64_t max_count, const std::optional<Tuning>& tuning) {
  const std::string infinity = "vec3(uintBitsToFloat(0x7F800000u))";
  const Operator unite = Operator::custom("box around two", "T(min(a.low, b.low), max(a.high, b.high))",
                                          "T(" + infinity + ", -" + infinity + ")", true);
  return Reduce(device, box_element(), unite, max_count, {.tuning = tuning});
}

Split make_split(const Device& device, uint64_t max_references, const std::optional<Tuning>& tuning) {
  return Split(device, Element::structure({{"uint", "primitive"}, {"uint", "node"}}),
               Sides::overlapping("(x.node & 0x40000000u) != 0u", "(x.node & 0x80000000u) != 0u"), max_references,
               {.tuning = tuning});
}

Scan make_node_scan(const Device& device, uint64_t max_nodes, const std::optional<Tuning>& tuning) {
  return Scan(
      device, Element::structure({{"uvec3", "first"}, {"uvec3", "second"}}),
      Operator::custom("sums of nodes", "T(a.first + b.first, a.second + b.second)", "T(uvec3(0u), uvec3(0u))", true),
      max_nodes, {.kind = ScanKind::inclusive, .tuning = tuning});
}

BoxKdTree::Options filled(const BvhPrimitive& primitive, uint64_t max_count, BoxKdTree::Options options) {
  check_addressable("BoxKdTree", primitive.element, max_count);
  if (max_count > BoxKdTree::max_primitives) {
    core::invalid("BoxKdTree", "a plan for " + core::count_text(max_count) + " primitives; it may have up to " +
                                   std::to_string(BoxKdTree::max_primitives) + ".");
  }
  if (primitive.vertex_bytes > 0) core::invalid("BoxKdTree", "triangles by index are not taken; give their boxes.");
  if (options.max_depth == 0) {
    options.max_depth = std::min(8 + uint32_t(1.3 * std::log2(double(max_count + 1))), BoxKdTree::depth_limit);
  }
  if (options.max_references == 0) {
    options.max_references = std::max<uint64_t>(std::min(4 * max_count, BoxKdTree::max_primitives), 1);
  }
  if (options.max_nodes == 0) options.max_nodes = std::min(2 * max_count + 1, BoxKdTree::max_primitives);
  if (options.max_depth > BoxKdTree::depth_limit) {
    core::invalid("BoxKdTree", "'max_depth' is " + std::to_string(options.max_depth) + "; it may be up to " +
                                   std::to_string(BoxKdTree::depth_limit) + ".");
  }
  if (options.max_references < max_count || options.max_references > BoxKdTree::max_primitives) {
    core::invalid("BoxKdTree", "'max_references' is " + std::to_string(options.max_references) + "; it must be from " +
                                   std::to_string(max_count) + " to " + std::to_string(BoxKdTree::max_primitives) +
                                   ".");
  }
  if (options.max_nodes > BoxKdTree::max_primitives) {
    core::invalid("BoxKdTree", "'max_nodes' is " + std::to_string(options.max_nodes) + "; it may be up to " +
                                   std::to_string(BoxKdTree::max_primitives) + ".");
  }
  const auto is_cost = [](float cost) { return cost > 0 && std::isfinite(cost); };
  if (!is_cost(options.costs.node) || !is_cost(options.costs.leaf))
    core::invalid("BoxKdTree", "'costs' must be positive and finite.");
  return options;
}

// Nodes with bins in one level.
uint64_t most_binned(const BoxKdTree::Options& options) {
  return std::min(options.max_references / (uint64_t{options.leaf_size} + 1) + 1, options.max_nodes);
}

struct BoxKdTreeStorage {
  BoxKdTreeStorage(uint64_t count, const BoxKdTree::Options& options, uint64_t steps_bytes)
      : boxes(layout.add(sizeof(Box<3>) * count)),
        entries(layout.add(entry_bytes * options.max_references)),
        sides(layout.add(2 * entry_bytes * options.max_references)),
        cells(layout.add(2 * cell_bytes * options.max_nodes)),
        bins(layout.add(bins_bytes * most_binned(options))),
        sums(layout.add(sums_bytes * options.max_nodes)),
        levels(layout.add(level_bytes * (options.max_depth + 2))),
        steps(layout.add(steps_bytes)) {}

  TemporaryLayout layout;
  TemporaryLayout::Part boxes, entries, sides, cells, bins, sums, levels;
  TemporaryLayout::Part steps;  // Of the plans that run one after the other.
};

View<const uint32_t> word_of(const Region& level, uint64_t offset) {
  return View<const uint32_t>(level.part(offset, 4));
}

}  // namespace

struct BoxKdTree::Impl {
  Impl(const Device& its_device, const BvhPrimitive& its_primitive, uint64_t its_max_count, const Options& its_options);

  Device device;
  BvhPrimitive primitive;
  uint64_t max_count;
  Options options;
  Tiling tiling;
  Kernel start, root, bins, planes, level, nodes, entries;
  Reduce bounds;
  Split split;
  Scan scan;
  BoxKdTreeStorage storage;

  Groups groups(uint64_t count) const { return spread(tiling.tiles(count), device.info().limits); }
  // Also aligns the temporary storage.
  ResolvedCount check(Recorder& recorder, Arguments& given) const;
  LevelBlock block_of(const Arguments& arguments) const;
  void record_root(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const;
  void record_level(Recorder& recorder, const Arguments& arguments, uint32_t depth, uint64_t most_entries) const;
  void divide(Recorder& recorder, const Region& temporary, const Count& count, uint64_t most, uint32_t depth) const;
};

BoxKdTree::Impl::Impl(const Device& its_device, const BvhPrimitive& its_primitive, uint64_t its_max_count,
                      const Options& its_options)
    : device(its_device),
      primitive(its_primitive),
      max_count(its_max_count),
      options(its_options),
      tiling(one_each(device.info())),
      bounds(make_bounds(device, max_count, options.tuning)),
      split(make_split(device, options.max_references, options.tuning)),
      scan(make_node_scan(device, options.max_nodes, options.tuning)),
      storage(max_count, options,
              std::max({bounds.temporary_bytes(), split.temporary_bytes(), scan.temporary_bytes()})) {
  KernelMaker maker = KernelMaker(device, "BoxKdTree").tiling(tiling);
  maker.define("WEFT_SCALAR", "uint").define("T_WORDS", "1");
  root = maker.make("trees/box_kd_root");
  bins = maker.make("trees/box_kd_bins");
  planes = maker.make("trees/box_kd_planes");
  level = maker.make("trees/box_kd_level");
  nodes = maker.make("trees/box_kd_nodes");
  entries = maker.make("trees/box_kd_entries");
  maker.key(primitive.element);
  maker.expression("WEFT_LOW", "low corner", primitive.low, "of " + primitive.element.name());
  maker.expression("WEFT_HIGH", "high corner", primitive.high, "of " + primitive.element.name());
  start = maker.make("trees/box_kd_start");
}

BoxKdTree::BoxKdTree(const Device& device, const BvhPrimitive& primitive, uint64_t max_count, const Options& options) {
  const PlanNote note(device, BoxKdTreeParameters{primitive, max_count, options});
  impl_ = std::make_shared<Impl>(device, primitive, max_count, filled(primitive, max_count, options));
}

BoxKdTree::BoxKdTree(const Device& device, const BvhPrimitive& primitive, uint64_t max_count)
    : BoxKdTree(device, primitive, max_count, Options{}) {}

uint64_t BoxKdTree::max_references() const { return impl_->options.max_references; }
uint64_t BoxKdTree::max_nodes() const { return impl_->options.max_nodes; }
uint32_t BoxKdTree::max_depth() const { return impl_->options.max_depth; }
uint64_t BoxKdTree::temporary_bytes() const { return with_slack(impl_->storage.layout.bytes()); }

ResolvedCount BoxKdTree::Impl::check(Recorder& recorder, Arguments& given) const {
  ArgumentChecks checks("BoxKdTree", device, recorder);
  given.temporary = checks.temporary(given.temporary, with_slack(storage.layout.bytes()));
  const ResolvedCount count = checks.count(
      given.count, max_count, {{"primitives", given.primitives, primitive.element.bytes(), primitive.element.align()}});
  checks.region("nodes", given.nodes, sizeof(BoxKdNode) * options.max_nodes, 16);
  checks.region("references", given.references, sizeof(uint32_t) * options.max_references, alignof(uint32_t));
  checks.written("counts", given.counts, options.max_references, 3);
  checks.overlaps();
  return count;
}

LevelBlock BoxKdTree::Impl::block_of(const Arguments& arguments) const {
  const Region& temporary = arguments.temporary;
  return {storage.boxes.address(temporary),
          storage.entries.address(temporary),
          storage.sides.address(temporary),
          storage.cells.address(temporary),
          storage.bins.address(temporary),
          storage.sums.address(temporary),
          storage.levels.address(temporary),
          arguments.nodes.address(),
          arguments.references.address(),
          arguments.counts.region().address(),
          uint32_t(options.max_references),
          uint32_t(options.max_nodes),
          0,
          options.max_depth,
          options.leaf_size,
          std::bit_cast<uint32_t>(options.costs.node),
          std::bit_cast<uint32_t>(options.costs.leaf),
          written_option(arguments.counts)};
}

// Sends up to `most` entries to the sides of planes: the entries of the level at this depth.
void BoxKdTree::Impl::divide(Recorder& recorder, const Region& temporary, const Count& count, uint64_t most,
                             uint32_t depth) const {
  const Region sides = storage.sides.in(temporary);
  const Region counts = storage.levels.in(temporary).part(level_bytes * depth + level_sides, 8);
  split.record(recorder,
               {.input = storage.entries.in(temporary).part(0, entry_bytes * most),
                .first = sides.part(0, entry_bytes * options.max_references),
                .second = sides.part(entry_bytes * options.max_references, entry_bytes * options.max_references),
                .third = {},
                .counts = View<uint32_t>(counts),
                .count = count,
                .temporary = storage.steps.in(temporary)});
}

void BoxKdTree::Impl::record_root(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const {
  const Region& temporary = arguments.temporary;
  const StartBlock block{arguments.primitives.address(),
                         storage.boxes.address(temporary),
                         storage.entries.address(temporary),
                         count.address,
                         count.most,
                         count_option(count),
                         0};
  recorder.dispatch(start, groups(count.most), block);
  bounds.record(recorder, {.input = storage.boxes.in(temporary).part(0, sizeof(Box<3>) * count.most),
                           .output = storage.sums.in(temporary).part(0, sizeof(Box<3>)),
                           .count = arguments.count,
                           .temporary = storage.steps.in(temporary)});
  divide(recorder, temporary, arguments.count, count.most, 0);
  recorder.fill_region(storage.bins.in(temporary), std::array<std::byte, 4>{});
  recorder.dispatch(root, groups(1), block_of(arguments));
}

void BoxKdTree::Impl::record_level(Recorder& recorder, const Arguments& arguments, uint32_t depth,
                                   uint64_t most_entries) const {
  const Region& temporary = arguments.temporary;
  const uint64_t most_nodes = std::min(uint64_t{1} << depth, options.max_nodes);
  const Region this_level = storage.levels.in(temporary).part(level_bytes * depth, level_bytes);
  LevelBlock block = block_of(arguments);
  block.level = depth;
  if (depth < options.max_depth) recorder.dispatch(bins, groups(most_entries), block);
  recorder.dispatch(planes, groups(most_nodes), block);
  const Region sums = storage.sums.in(temporary).part(0, sums_bytes * most_nodes);
  scan.record(recorder, {.input = sums,
                         .output = sums,
                         .count = word_of(this_level, level_nodes),
                         .temporary = storage.steps.in(temporary)});
  recorder.dispatch(level, groups(1), block);
  recorder.dispatch(nodes, groups(most_nodes), block);
  recorder.dispatch(entries, groups(most_entries), block);
  if (depth < options.max_depth) {
    divide(recorder, temporary, word_of(this_level, level_entries), most_entries, depth + 1);
  }
}

void BoxKdTree::record(Recorder& recorder, const Arguments& given) const {
  const Impl& plan = *impl_;
  Arguments arguments = given;
  const ResolvedCount count = plan.check(recorder, arguments);
  plan.record_root(recorder, arguments, count);
  uint64_t most_entries = count.most;
  for (uint32_t depth = 0; depth <= plan.options.max_depth; ++depth) {
    plan.record_level(recorder, arguments, depth, most_entries);
    most_entries = std::min(2 * most_entries, plan.options.max_references);
  }
}

}  // namespace weft
