#include <weft/find_pairs.h>

#include <cmath>
#include <string>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/in_parallel.h"
#include "algorithms/src/base/kept_plans.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/number_text.h"
#include "algorithms/src/base/temporary_layout.h"
#include "algorithms/src/pairs/pair_test.h"
#include "algorithms/src/pairs/pair_traversal.h"
#include "algorithms/src/pairs/pairs_tuning.h"
#include "algorithms/src/pairs/sorted_boxes.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/trees.h"
#include "algorithms/src/trees/one_each.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

// Push constants of shaders/kernels/pairs/pairs_boxes.comp.
struct BoxesBlock {
  uint64_t primitives, vertices, boxes, count_on_device, count;
  uint32_t options, unused;
};

BroadPhase choose(const Device& device, BroadPhase method, uint64_t max_count, const std::optional<Tuning>& tuning) {
  if (method != BroadPhase::automatic) return method;
  const PairsTuning values = Tuner(tuned_pairs, device.info(), tuning_of(device, tuning), 4).at(max_count);
  if (max_count <= values.few) return BroadPhase::brute_force;
  return max_count <= values.grid ? BroadPhase::uniform_grid : BroadPhase::bvh;
}

void check_plan(const BvhPrimitive& primitive, uint64_t max_count, const FindPairs::Options& options) {
  check_addressable("FindPairs", primitive.element, max_count);
  const bool by_brute_force = options.method == BroadPhase::brute_force;
  const uint64_t most = by_brute_force ? FindPairs::max_by_brute_force : FindPairs::max_boxes;
  if (max_count > most) {
    core::invalid("FindPairs", "a plan for " + core::count_text(max_count) + " boxes" +
                                   (by_brute_force ? " by brute force" : "") + "; it may have up to " +
                                   std::to_string(most) + ".");
  }
  if (primitive.vertex_bytes > 0) check_vertex_bytes("FindPairs", primitive.vertex_bytes);
  if (!(options.cell_size >= 0) || std::isinf(options.cell_size)) {
    core::invalid("FindPairs",
                  "'cell_size' is " + number_text(options.cell_size) + "; it must be positive and finite, or 0.");
  }
}

CandidatesOf candidates_of(BroadPhase method) {
  if (method == BroadPhase::brute_force) return CandidatesOf::all;
  return method == BroadPhase::uniform_grid ? CandidatesOf::cells : CandidatesOf::sweep;
}

}  // namespace

struct FindPairs::Impl {
  Impl(const Device& its_device, const BvhPrimitive& its_primitive, uint64_t its_max_count, const Options& options);

  Device device;
  BvhPrimitive primitive;
  uint64_t max_count;
  BroadPhase method;
  Tiling tiling;
  Kernel to_boxes;
  std::optional<SortedBoxes> sorted;       // For the methods that sort.
  std::optional<PairTest> test;            // For all but bvh,
  std::optional<PairTraversal> traversal;  // which has this.

  TemporaryLayout layout;
  TemporaryLayout::Part boxes, candidates, search;

  // Also aligns the temporary storage.
  ResolvedCount check(Recorder& recorder, Arguments& given) const;
  Region store_boxes(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const;
};

FindPairs::Impl::Impl(const Device& its_device, const BvhPrimitive& its_primitive, uint64_t its_max_count,
                      const Options& options)
    : device(its_device),
      primitive(its_primitive),
      max_count(its_max_count),
      method(options.method),
      tiling(one_each(device.info())) {
  KernelMaker maker = KernelMaker(device, "FindPairs").tiling(tiling).key(primitive.element);
  maker.define("WEFT_SCALAR", "uint").define("T_WORDS", "1");
  define_vertices(maker, primitive.vertex_bytes);
  maker.expression("WEFT_LOW", "low corner", primitive.low, "of " + primitive.element.name());
  maker.expression("WEFT_HIGH", "high corner", primitive.high, "of " + primitive.element.name());
  const PairFilter filter{primitive, options.where};
  const auto make_search = [&] {
    if (method == BroadPhase::bvh) return void(traversal.emplace(device, max_count, filter, options.tuning));
    const CandidatesOf source = candidates_of(method);
    const BoxOrder order{.by_cells = source == CandidatesOf::cells, .cell_size = options.cell_size};
    if (source != CandidatesOf::all) sorted.emplace(device, max_count, order, options.tuning);
    test.emplace(device, max_count, source, filter, options.tuning);
  };
  in_parallel(device, {[&] { to_boxes = maker.make("pairs/pairs_boxes"); }, make_search});
  boxes = layout.add(24 * max_count);
  candidates = layout.add(sorted ? sorted->temporary_bytes() : 0);
  search = layout.add(traversal ? traversal->temporary_bytes() : test->temporary_bytes());
}

FindPairs::FindPairs(const Device& device, const BvhPrimitive& primitive, uint64_t max_count, const Options& given) {
  const PlanNote note(device, FindPairsParameters{primitive, max_count, given});
  Options options = given;
  options.method = choose(device, given.method, max_count, given.tuning);
  check_plan(primitive, max_count, options);
  impl_ = std::make_shared<Impl>(device, primitive, max_count, options);
}

FindPairs::FindPairs(const Device& device, const BvhPrimitive& primitive, uint64_t max_count)
    : FindPairs(device, primitive, max_count, Options{}) {}

BroadPhase FindPairs::method() const { return impl_->method; }

uint64_t FindPairs::temporary_bytes() const { return with_slack(impl_->layout.bytes()); }

ResolvedCount FindPairs::Impl::check(Recorder& recorder, Arguments& given) const {
  ArgumentChecks checks("FindPairs", device, recorder);
  given.temporary = checks.temporary(given.temporary, with_slack(layout.bytes()));
  const ResolvedCount count =
      checks.count(given.count, max_count, {{"primitives", given.primitives, primitive.bytes(), primitive.align()}});
  const uint64_t capacity = given.pairs.bytes / sizeof(IndexPair);
  checks.region("pairs", given.pairs, capacity * sizeof(IndexPair), capacity > 0 ? alignof(IndexPair) : 1);
  checks.written("found", given.found, max_count < 2 ? 0 : max_count * (max_count - 1) / 2);
  check_vertices(checks, given.vertices, primitive.vertex_bytes, count.most);
  checks.overlaps();
  return count;
}

Region FindPairs::Impl::store_boxes(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const {
  const Region to = boxes.in(arguments.temporary).part(0, 24 * count.most);
  const BoxesBlock block{arguments.primitives.address(),
                         arguments.vertices.address(),
                         to.address(),
                         count.address,
                         count.most,
                         count_option(count),
                         0};
  recorder.dispatch(to_boxes, spread(tiling.tiles(count.most), device.info().limits), block);
  return to;
}

void FindPairs::record(Recorder& recorder, const Arguments& given) const {
  const Impl& plan = *impl_;
  Arguments arguments = given;
  const ResolvedCount count = plan.check(recorder, arguments);
  const Region boxes = plan.store_boxes(recorder, arguments, count);
  const Region search = plan.search.in(arguments.temporary);
  const FoundPairs to{arguments.pairs, arguments.found};
  if (plan.traversal) {
    const PairPrimitives of{arguments.primitives, arguments.vertices, boxes};
    return plan.traversal->record(recorder, of, to, arguments.count, count, search);
  }
  PairCandidates candidates{.boxes = boxes.address()};
  if (plan.sorted) {
    candidates = plan.sorted->record(recorder, boxes, arguments.count, count, plan.candidates.in(arguments.temporary));
  }
  candidates.primitives = arguments.primitives.address();
  candidates.vertices = arguments.vertices.address();
  plan.test->record(recorder, candidates, to, count, search);
}

uint64_t find_pairs(Stream& stream, const BvhPrimitive& primitive, const ElementMemory& primitives,
                    const View<IndexPair>& pairs, BroadPhase method) {
  if (primitive.vertex_bytes > 0) {
    core::invalid("find_pairs", "triangles by index need their vertices, which a FindPairs plan takes.");
  }
  const Region& from = elements_in("find_pairs", "primitives", primitives, primitive.element);
  const uint64_t count = from.bytes / primitive.element.bytes(), max_count = kept_plan_count(count);
  const FindPairs::Options options{.method = choose(stream.device(), method, count, {})};
  const std::string parameters =
      primitive.low + "\n" + primitive.high + "\n" + std::to_string(uint32_t(options.method));
  const auto plan = stream.cached<FindPairs>(plan_key("find_pairs", primitive.element, parameters, max_count), [&] {
    return std::make_shared<FindPairs>(stream.device(), primitive, max_count, options);
  });
  return run_counted(stream, plan->temporary_bytes(), [&](const Region& found, const Region& temporary) {
    plan->record(stream, {from, pairs.region(), found, count, temporary});
  });
}

}  // namespace weft
