#include <weft/scan.h>

#include <algorithm>

#include <weft/error.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kept_plans.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/tile_carry.h"
#include "algorithms/src/base/tiling.h"
#include "algorithms/src/base/tuning.h"
#include "algorithms/src/base/user_expressions.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/scans.h"
#include "algorithms/src/scan/scan_tuning.h"

namespace weft {
namespace {

using namespace algorithms;

// Push constants of shaders/kernels/scan/arguments.glsl.
struct ScanBlock {
  uint64_t source, second, destination, count_on_device, count, ticket, carries;
  uint32_t options, unused;
};

}  // namespace

struct Scan::Impl {
  Device device;
  Element element;
  std::optional<Transform> transform;
  uint64_t max_count, storage_tiles;
  TilePath path;
  Tiling tiling;
  TileCarry carry;
  Kernel totals, tiles;  // look_back has only the second.

  uint32_t options(const Arguments& arguments, const ResolvedCount& count) const {
    const bool second_aligned = arguments.second.address() % 16 == 0;
    return (second_aligned ? vectors_of(tiling, from().bytes(), arguments.input, source_vectors) : 0u) |
           vectors(tiling, arguments.output, destination_vectors) | count_option(count);
  }

  const Element& from() const { return transform ? transform->from : element; }
};

Scan::Scan(const Device& device, const Element& element, const Operator& op, uint64_t max_count,
           const Options& options) {
  const PlanNote note(device, ScanParameters{element, op, max_count, options});
  const Element* from = options.transform ? &options.transform->from : nullptr;
  check_addressable("Scan", element, max_count);
  if (from) check_addressable("Scan", *from, max_count);
  const TilePath path = resolve_path(options.path, device.info());
  const Tuning measured = tuning_of(device, options.tuning);
  const Tuner tuner(tuned_scan, device.info(), measured, element.bytes());
  const auto tiling_of = [&](const ScanTuning& tuning) {
    return tuning.serial_bytes > 0 ? make_serial_tiling(element, from, tuning.serial_bytes)
                                   : make_keyed_tiling(device.info(), element, from, tuning.tile);
  };
  const ScanTuning tuning = tuner.at(max_count);
  const Tiling tiling = tiling_of(tuning);
  KernelMaker maker = KernelMaker(device, "Scan").element(element).op(element, op);
  TileCarry carry(device, measured, path, element.words(), maker);
  if (from) define_transform(maker, *options.transform);
  maker.tiling(tiling);
  Kernel totals = carry.make_totals(maker, tiling.is_serial() ? "scan/scan_serial_totals" : "scan/scan_totals");
  if (options.kind == ScanKind::exclusive) maker.define("WEFT_EXCLUSIVE");
  define_initial(maker, options.initial);
  Kernel tiles = carry.make_tiles(maker, tuning.look_back, tiling.is_serial() ? "scan/scan_serial" : "scan/scan");
  impl_ =
      std::make_shared<Impl>(Impl{device, element, options.transform, max_count, tuner.most_tiles(max_count, tiling_of),
                                  path, tiling, std::move(carry), totals, tiles});
}

Scan::Scan(const Device& device, const Element& element, const Operator& op, uint64_t max_count)
    : Scan(device, element, op, max_count, Options{}) {}

TilePath Scan::path() const { return impl_->path; }

uint64_t Scan::temporary_bytes() const { return with_slack(impl_->carry.temporary_bytes(impl_->storage_tiles)); }

void Scan::record(Recorder& recorder, const Arguments& given) const {
  const Impl& plan = *impl_;
  ArgumentChecks checks("Scan", plan.device, recorder);
  Arguments arguments = given;
  arguments.temporary = checks.temporary(given.temporary, temporary_bytes());
  const Element &element = plan.element, &from = plan.from();
  const ArgumentChecks::Holder input{"input", arguments.input, from.bytes(), from.align()};
  const ArgumentChecks::Holder second{"second", arguments.second, from.bytes(), from.align()};
  const ArgumentChecks::Holder output{"output", arguments.output, element.bytes(), element.align()};
  const bool two = plan.transform && plan.transform->two;
  if (!two) checks.empty("second", arguments.second, "the plan has no transform of two inputs");
  const ResolvedCount count = two ? checks.count(arguments.count, plan.max_count, {input, second, output})
                                  : checks.count(arguments.count, plan.max_count, {input, output});
  checks.overlaps();
  if (count.most == 0) return;
  const ScanBlock block{arguments.input.address(),
                        arguments.second.address(),
                        arguments.output.address(),
                        count.address,
                        count.most,
                        TileCarry::ticket(arguments.temporary),
                        plan.carry.carries(arguments.temporary),
                        plan.options(arguments, count),
                        0};
  plan.carry.record(recorder, arguments.temporary, count, plan.tiling, plan.device.info().limits, plan.totals,
                    plan.tiles, block);
}

namespace {

void scan_with(Stream& stream, const Element& element, const Operator& op, ScanKind kind,
               const std::optional<Transform>& transform, const ElementMemory& input, const ElementMemory& output) {
  const Element& from = transform ? transform->from : element;
  const Region &in = elements_in("scan", "input", input, from), &out = elements_in("scan", "output", output, element);
  const uint64_t count = in.bytes / from.bytes(), max_count = kept_plan_count(count);
  const std::string parameters = key_of(op) + (kind == ScanKind::inclusive ? "\ninclusive" : "\nexclusive") +
                                 (transform ? "\n" + key_of(*transform) : "");
  const auto plan = stream.cached<Scan>(plan_key("scan", element, parameters, max_count), [&] {
    return std::make_shared<Scan>(stream.device(), element, op, max_count,
                                  Scan::Options{.kind = kind, .transform = transform});
  });
  plan->record(stream, {in, out, count, stream.scratch(plan->temporary_bytes())});
}

}  // namespace

void scan(Stream& stream, const Element& element, const Operator& op, ScanKind kind, const ElementMemory& input,
          const ElementMemory& output) {
  scan_with(stream, element, op, kind, std::nullopt, input, output);
}

void scan(Stream& stream, const Element& element, const Operator& op, ScanKind kind, const Transform& transform,
          const ElementMemory& input, const ElementMemory& output) {
  scan_with(stream, element, op, kind, transform, input, output);
}

}  // namespace weft
