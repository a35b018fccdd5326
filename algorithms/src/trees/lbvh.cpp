#include <weft/lbvh.h>

#include <algorithm>
#include <array>

#include <weft/map.h>
#include <weft/morton.h>
#include <weft/sort.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/temporary_layout.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/trees.h"
#include "algorithms/src/trees/lbvh_merges.h"
#include "algorithms/src/trees/one_each.h"
#include "algorithms/src/trees/vertices.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

// Push constants of shaders/kernels/trees/lbvh_centers.comp.
struct CentersBlock {
  uint64_t primitives, vertices, centers, count_on_device, count;
  uint32_t options, unused;
};
// Push constants of shaders/kernels/trees/lbvh_links.comp.
struct LinksBlock {
  uint64_t codes, nodes, leaf_parents, count_on_device, count;
  uint32_t options, unused;
};
// Push constants of shaders/kernels/trees/lbvh_boxes.comp.
struct BoxesBlock {
  uint64_t primitives, vertices, indices, nodes, leaf_parents, bounds, counters, count_on_device, count;
  uint32_t options, unused;
};
// Push constants of shaders/kernels/trees/lbvh_one_pass.comp.
struct OnePassBlock {
  uint64_t primitives, vertices, indices, codes, nodes, leaf_parents, bounds, boundaries, count_on_device, count;
  uint32_t options, unused;
};

void check_plan(const BvhPrimitive& primitive, uint64_t max_count, uint32_t code_bits) {
  check_addressable("Lbvh", primitive.element, max_count);
  if (max_count > Lbvh::max_primitives) {
    core::invalid("Lbvh", "a plan for " + core::count_text(max_count) + " primitives; it may have up to " +
                              std::to_string(Lbvh::max_primitives) + ".");
  }
  if (code_bits != 30 && code_bits != 63) {
    core::invalid("Lbvh", "'code_bits' is " + std::to_string(code_bits) + "; codes have 30 or 63 bits.");
  }
}

Element code_element(bool wide) { return wide ? Element::of<uint64_t>() : Element::of<uint32_t>(); }

Sort make_sort(const Device& device, uint64_t max_count, const Lbvh::Options& options) {
  return Sort(device, code_element(options.code_bits > 32), Element::of<uint32_t>(), max_count,
              {.order = {.end_bit = options.code_bits}, .tuning = options.tuning});
}

constexpr uint64_t center_bytes = 12;

// The parts of a construction that come one after the other share their temporary storage.
struct LbvhStorage {
  LbvhStorage(uint64_t count, bool wide, bool indexed, uint64_t merges_bytes, uint64_t sort_bytes)
      : counters(layout.add(4 * count)),
        codes(layout.add((wide ? 8 : 4) * count)),
        sorted(layout.add(merges_bytes > 0 ? 4 * count : 0)),
        centers(layout.add(indexed ? center_bytes * count : 0)),
        steps(layout.add(std::max(merges_bytes, sort_bytes))) {}

  TemporaryLayout layout;
  TemporaryLayout::Part counters;  // A word for each node, or boundary between leaves.
  TemporaryLayout::Part codes;
  TemporaryLayout::Part sorted;   // Indices of primitives, if those of leaves are to be in another order.
  TemporaryLayout::Part centers;  // Of triangles by index.
  TemporaryLayout::Part steps;
};

// A maker of kernels that include shaders/kernels/trees/lbvh_leaves.glsl.
KernelMaker maker_of_boxes(const Device& device, const BvhPrimitive& primitive) {
  KernelMaker maker(device, "Lbvh");
  define_vertices(maker, primitive.vertex_bytes);
  maker.define("WEFT_SCALAR", "uint").define("T_WORDS", "1").key(primitive.element);
  maker.expression("WEFT_LOW", "low corner", primitive.low, "of " + primitive.element.name());
  return maker.expression("WEFT_HIGH", "high corner", primitive.high, "of " + primitive.element.name());
}

Morton make_morton(const Device& device, const BvhPrimitive& primitive, uint64_t max_count,
                   const Lbvh::Options& options) {
  const Morton::Options of_codes{.wide = options.code_bits > 32, .tuning = options.tuning};
  if (primitive.vertex_bytes > 0) return Morton(device, 3, max_count, of_codes);  // Of the centers in memory.
  return Morton(device, 3, primitive.element, primitive.center, max_count, of_codes);
}

// What only agglomerative hierarchies have.
std::optional<LbvhMerges> make_merges(const KernelMaker& maker, uint64_t max_count, const Lbvh::Options& options) {
  if (options.builder != Lbvh::Builder::agglomerative) return std::nullopt;
  return LbvhMerges(maker, max_count, options.code_bits);
}

}  // namespace

struct Lbvh::Impl {
  Impl(const Device& its_device, const BvhPrimitive& its_primitive, uint64_t its_max_count, const Options& options);

  Device device;
  BvhPrimitive primitive;
  uint64_t max_count;
  bool wide;
  Tiling tiling;
  Kernel boxes, centers;  // `centers` for triangles by index. Before others, so that errors of corners name Lbvh.
  Morton morton;
  Map iota;
  Sort sort;
  std::optional<LbvhMerges> merges;  // The builder is one of these,
  Kernel links, one_pass;            // or has one of these kernels.
  LbvhStorage storage;

  Groups groups(const ResolvedCount& count) const { return spread(tiling.tiles(count.most), device.info().limits); }
  // Also aligns the temporary storage.
  ResolvedCount check(Recorder& recorder, Arguments& given) const;
  // The memory with what codes are computed from.
  Region points(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const;
  void sort_codes(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const;
  void build(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const;
  void fit(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const;
  Region clear(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count, std::byte value) const;
};

Lbvh::Impl::Impl(const Device& its_device, const BvhPrimitive& its_primitive, uint64_t its_max_count,
                 const Options& options)
    : device(its_device),
      primitive(its_primitive),
      max_count(its_max_count),
      wide(options.code_bits > 32),
      tiling(one_each(device.info())),
      boxes(maker_of_boxes(device, primitive).tiling(tiling).make("trees/lbvh_boxes")),
      morton(make_morton(device, primitive, max_count, options)),
      iota(device, Element::of<uint32_t>(), "i", max_count, {.tuning = options.tuning}),
      sort(make_sort(device, max_count, options)),
      merges(make_merges(maker_of_boxes(device, primitive), max_count, options)),
      storage(max_count, wide, primitive.vertex_bytes > 0, merges ? merges->temporary_bytes() : 0,
              std::max(morton.temporary_bytes(), sort.temporary_bytes())) {
  KernelMaker maker = maker_of_boxes(device, primitive).tiling(tiling);
  if (primitive.vertex_bytes > 0) {
    centers = KernelMaker(maker)
                  .expression("WEFT_CENTER", "center", primitive.center, "of " + primitive.element.name())
                  .make("trees/lbvh_centers");
  }
  maker.define("WEFT_CODE_WORDS", wide ? "2" : "1");
  if (options.builder == Builder::two_passes) links = maker.make("trees/lbvh_links");
  if (options.builder == Builder::one_pass) one_pass = maker.make("trees/lbvh_one_pass");
}

Lbvh::Lbvh(const Device& device, const BvhPrimitive& primitive, uint64_t max_count, const Options& options) {
  const PlanNote note(device, LbvhParameters{primitive, max_count, options});
  check_plan(primitive, max_count, options.code_bits);
  if (primitive.vertex_bytes > 0) check_vertex_bytes("Lbvh", primitive.vertex_bytes);
  impl_ = std::make_shared<Impl>(device, primitive, max_count, options);
}

Lbvh::Lbvh(const Device& device, const BvhPrimitive& primitive, uint64_t max_count)
    : Lbvh(device, primitive, max_count, Options{}) {}

uint64_t Lbvh::temporary_bytes() const { return with_slack(impl_->storage.layout.bytes()); }

ResolvedCount Lbvh::Impl::check(Recorder& recorder, Arguments& given) const {
  ArgumentChecks checks("Lbvh", device, recorder);
  given.temporary = checks.temporary(given.temporary, with_slack(storage.layout.bytes()));
  const ArgumentChecks::Holder primitives{"primitives", given.primitives, primitive.bytes(), primitive.align()},
      indices{"indices", given.indices, 4, 4}, leaf_parents{"leaf_parents", given.leaf_parents, 4, 4},
      nodes{"nodes", given.nodes, sizeof(BvhNode), 16};
  const ResolvedCount count = given.count.is_on_device()
                                  ? checks.count(given.count, max_count, {primitives, indices, leaf_parents, nodes})
                                  : checks.count(given.count, max_count, {primitives, indices, leaf_parents});
  const uint64_t most_nodes = count.most - std::min<uint64_t>(count.most, 1);
  checks.region("nodes", given.nodes, most_nodes * sizeof(BvhNode), most_nodes > 0 ? 16 : 1);
  checks.region("bounds", given.bounds, sizeof(Box<3>), 4);
  check_vertices(checks, given.vertices, primitive.vertex_bytes, count.most);
  checks.overlaps();
  return count;
}

Region Lbvh::Impl::clear(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count,
                         std::byte value) const {
  const Region words = storage.counters.in(arguments.temporary).part(0, 4 * count.most);
  recorder.fill_region(words, std::array{value, value, value, value});
  return words;
}

Region Lbvh::Impl::points(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const {
  if (!centers) return arguments.primitives.part(0, count.most * primitive.element.bytes());
  const Region points = storage.centers.in(arguments.temporary).part(0, count.most * center_bytes);
  const CentersBlock block{arguments.primitives.address(),
                           arguments.vertices.address(),
                           points.address(),
                           count.address,
                           count.most,
                           count_option(count),
                           0};
  recorder.dispatch(centers, groups(count), block);
  return points;
}

void Lbvh::Impl::sort_codes(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const {
  const Region codes = storage.codes.in(arguments.temporary), temporary = storage.steps.in(arguments.temporary);
  const Region indices = merges ? storage.sorted.in(arguments.temporary).part(0, 4 * count.most)
                                : arguments.indices.part(0, 4 * count.most);
  morton.record(recorder, {.points = points(recorder, arguments, count),
                           .bounds = {},
                           .codes = codes,
                           .count = arguments.count,
                           .temporary = temporary.part(0, morton.temporary_bytes())});
  iota.record(recorder, {{}, indices, arguments.count});
  sort.record(recorder, {.keys = codes,
                         .values = indices,
                         .keys_out = codes,
                         .values_out = indices,
                         .count = arguments.count,
                         .temporary = temporary.part(0, sort.temporary_bytes())});
}

void Lbvh::Impl::build(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const {
  if (merges) {
    if (count.most > 0) {
      merges->record(recorder,
                     {arguments.primitives, arguments.vertices, storage.sorted.in(arguments.temporary), arguments.nodes,
                      arguments.indices, arguments.leaf_parents, storage.steps.in(arguments.temporary)},
                     count);
    }
    return fit(recorder, arguments, count);
  }
  const uint64_t codes = storage.codes.address(arguments.temporary);
  if (links) {
    const LinksBlock block{codes,
                           arguments.nodes.address(),
                           arguments.leaf_parents.address(),
                           count.address,
                           count.most,
                           count_option(count),
                           0};
    recorder.dispatch(links, groups(count), block);
    return fit(recorder, arguments, count);
  }
  const Region boundaries = clear(recorder, arguments, count, std::byte{0xFF});
  const OnePassBlock block{arguments.primitives.address(),
                           arguments.vertices.address(),
                           arguments.indices.address(),
                           codes,
                           arguments.nodes.address(),
                           arguments.leaf_parents.address(),
                           arguments.bounds.address(),
                           boundaries.address(),
                           count.address,
                           count.most,
                           count_option(count),
                           0};
  recorder.dispatch(one_pass, groups(count), block);
}

void Lbvh::Impl::fit(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const {
  const Region counters = clear(recorder, arguments, count, std::byte{0});
  const BoxesBlock block{arguments.primitives.address(),
                         arguments.vertices.address(),
                         arguments.indices.address(),
                         arguments.nodes.address(),
                         arguments.leaf_parents.address(),
                         arguments.bounds.address(),
                         counters.address(),
                         count.address,
                         count.most,
                         count_option(count),
                         0};
  recorder.dispatch(boxes, groups(count), block);
}

void Lbvh::record(Recorder& recorder, const Arguments& given) const {
  Arguments arguments = given;
  const ResolvedCount count = impl_->check(recorder, arguments);
  if (count.most > 0) impl_->sort_codes(recorder, arguments, count);
  impl_->build(recorder, arguments, count);
}

void Lbvh::record_refit(Recorder& recorder, const Arguments& given) const {
  Arguments arguments = given;
  const ResolvedCount count = impl_->check(recorder, arguments);
  impl_->fit(recorder, arguments, count);
}

}  // namespace weft
