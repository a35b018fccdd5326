#include <weft/morton.h>

#include <weft/reductions.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kept_plans.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/temporary_layout.h"
#include "algorithms/src/base/tiling.h"
#include "algorithms/src/base/tuning.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/trees.h"
#include "algorithms/src/trees/morton_tuning.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

// Push constants of shaders/kernels/trees/morton.comp.
struct MortonBlock {
  uint64_t source, bounds, destination, count_on_device, count;
  uint32_t options, unused;
};

std::string vector_of(uint32_t dimensions) {
  if (dimensions == 2 || dimensions == 3) return "vec" + std::to_string(dimensions);
  core::invalid("Morton", "points have 2 or 3 dimensions, not " + std::to_string(dimensions) + ".");
}

// A code, as kernels store it; two words need no 64-bit integers.
Element stored_code(bool wide) { return wide ? Element::structure({{"uvec2", "words"}}) : Element::of<uint32_t>(); }

// The box of the points, coordinate by coordinate without those that are not finite.
Reduce bounds_of(const Device& device, uint32_t dimensions, const Element& of, const std::string& point,
                 uint64_t max_count, const std::optional<Tuning>& tuning) {
  Reduction bounds = Reduction::bounds(dimensions, of, point);
  const std::string size = std::to_string(dimensions), at = "vec" + size + "(" + point + ")";
  const std::string exponent = "uvec" + size + "(0x7F800000u)";
  const std::string is_finite = "notEqual(floatBitsToUint(" + at + ") & " + exponent + ", " + exponent + ")";
  const auto all = [&](const char* bits) { return "vec" + size + "(uintBitsToFloat(" + bits + "))"; };
  const auto finite_or = [&](const char* bits) { return "mix(" + all(bits) + ", " + at + ", " + is_finite + ")"; };
  // There are no NaNs, and zeros of either sign bound the same cells.
  bounds.op = Operator::custom("bounds", "T(min(a.low, b.low), max(a.high, b.high))",
                               "T(" + all("0x7F800000u") + ", " + all("0xFF800000u") + ")", true);
  bounds.transform.expression = "T(" + finite_or("0x7F800000u") + ", " + finite_or("0xFF800000u") + ")";
  // A fixed order makes the points precise, as those in the kernel are.
  return Reduce(device, bounds.element, bounds.op, max_count,
                {.transform = bounds.transform, .fixed_order = true, .tuning = tuning});
}

struct MortonStorage {
  MortonStorage(uint32_t dimensions, uint64_t reduce_bytes)
      : bounds(layout.add(8 * dimensions)), reduce(layout.add(reduce_bytes)) {}

  TemporaryLayout layout;
  TemporaryLayout::Part bounds, reduce;
};

}  // namespace

struct Morton::Impl {
  Device device;
  uint32_t dimensions;
  Element of;
  bool wide;
  uint64_t max_count;
  Tiling tiling;
  Kernel kernel;
  std::optional<Reduce> reduce;  // Unless bounds are given.

  MortonStorage storage() const { return {dimensions, reduce->temporary_bytes()}; }
};

Morton::Morton(const Device& device, uint32_t dimensions, const Element& of, const std::string& point,
               uint64_t max_count, const Options& options) {
  const PlanNote note(device, MortonParameters{dimensions, of, point, max_count, options});
  vector_of(dimensions);  // Throws for others.
  const Element code = stored_code(options.wide);
  check_addressable("Morton", of, max_count);
  check_addressable("Morton", code, max_count);
  const Tuner tuner(tuned_morton, device.info(), tuning_of(device, options.tuning), code.bytes());
  const Tiling tiling = make_keyed_tiling(device.info(), code, &of, tuner.at(max_count).tile);
  KernelMaker maker = KernelMaker(device, "Morton").key(of).tiling(tiling);
  maker.define("WEFT_SCALAR", options.wide ? "uvec2" : "uint").define("T_WORDS", options.wide ? "2" : "1");
  maker.define("WEFT_DIMENSIONS", std::to_string(dimensions));
  maker.expression("WEFT_POINT", "point", point, "of " + of.name());
  Kernel kernel = maker.make("trees/morton");
  std::optional<Reduce> reduce;
  if (!options.given_bounds) reduce = bounds_of(device, dimensions, of, point, max_count, options.tuning);
  impl_ = std::make_shared<Impl>(
      Impl{device, dimensions, of, options.wide, max_count, tiling, std::move(kernel), std::move(reduce)});
}

Morton::Morton(const Device& device, uint32_t dimensions, uint64_t max_count, const Options& options)
    : Morton(device, dimensions, Element::structure({{vector_of(dimensions), "at"}}), "x.at", max_count, options) {}

Morton::Morton(const Device& device, uint32_t dimensions, uint64_t max_count)
    : Morton(device, dimensions, max_count, Options{}) {}

uint64_t Morton::temporary_bytes() const { return impl_->reduce ? with_slack(impl_->storage().layout.bytes()) : 0; }

void Morton::record(Recorder& recorder, const Arguments& arguments) const {
  const Impl& plan = *impl_;
  ArgumentChecks checks("Morton", plan.device, recorder);
  const Region temporary = checks.temporary(arguments.temporary, temporary_bytes());
  const Element code = stored_code(plan.wide);
  const ResolvedCount count = checks.count(arguments.count, plan.max_count,
                                           {{"points", arguments.points, plan.of.bytes(), plan.of.align()},
                                            {"codes", arguments.codes, code.bytes(), code.bytes()}});
  if (plan.reduce) {
    checks.empty("bounds", arguments.bounds, "the plan computes them");
  } else {
    checks.region("bounds", arguments.bounds, 8 * plan.dimensions, 4);
  }
  checks.overlaps();
  if (count.most == 0) return;
  Region bounds = arguments.bounds;
  if (plan.reduce) {
    const MortonStorage storage = plan.storage();
    bounds = storage.bounds.in(temporary);
    plan.reduce->record(recorder, {.input = arguments.points.part(0, count.most * plan.of.bytes()),
                                   .output = bounds,
                                   .count = arguments.count,
                                   .temporary = storage.reduce.in(temporary)});
  }
  const uint32_t options = vectors_of(plan.tiling, plan.of.bytes(), arguments.points, source_vectors) |
                           vectors(plan.tiling, arguments.codes, destination_vectors) | count_option(count);
  const MortonBlock block{
      arguments.points.address(), bounds.address(), arguments.codes.address(), count.address, count.most, options, 0};
  recorder.dispatch(plan.kernel, spread(plan.tiling.tiles(count.most), plan.device.info().limits), block);
}

namespace {

void record_morton(Stream& stream, uint32_t dimensions, const ElementMemory& points, const Region& codes, bool wide) {
  const Element point = Element::structure({{vector_of(dimensions), "at"}}), code = stored_code(wide);
  const Region& from = elements_in("morton", "points", points, point);
  const uint64_t count = from.bytes / point.bytes(), room = codes.bytes / code.bytes();
  if (room < count) {
    core::invalid("morton", "there are " + core::count_text(count) + " points, and 'codes' has room for " +
                                std::to_string(room) + ".");
  }
  const uint64_t max_count = kept_plan_count(count);
  const auto plan = stream.cached<Morton>(plan_key("morton", point, code.name(), max_count), [&] {
    return std::make_shared<Morton>(stream.device(), dimensions, max_count, Morton::Options{.wide = wide});
  });
  plan->record(stream, {from, {}, codes, count, stream.scratch(plan->temporary_bytes())});
}

}  // namespace

void morton(Stream& stream, uint32_t dimensions, const ElementMemory& points, const View<uint32_t>& codes) {
  record_morton(stream, dimensions, points, codes, false);
}
void morton(Stream& stream, uint32_t dimensions, const ElementMemory& points, const View<uint64_t>& codes) {
  record_morton(stream, dimensions, points, codes, true);
}

}  // namespace weft
