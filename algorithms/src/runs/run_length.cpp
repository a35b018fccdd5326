#include <weft/run_length.h>

#include <algorithm>

#include <weft/error.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/index_sum.h"
#include "algorithms/src/base/kept_plans.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/tile_carry.h"
#include "algorithms/src/base/tiling.h"
#include "algorithms/src/base/tuning.h"
#include "algorithms/src/base/user_expressions.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/runs.h"
#include "algorithms/src/runs/run_length_tuning.h"
#include "algorithms/src/runs/segments.h"

namespace weft {
namespace {

using namespace algorithms;

// Push constants of shaders/kernels/runs/run_length_arguments.glsl.
struct RunLengthBlock {
  uint64_t source, destination, lengths, runs, count_on_device, count, ticket, carries;
  uint32_t options, unused;
};

}  // namespace

struct RunLengthEncode::Impl {
  Device device;
  Element element;
  uint64_t max_count;
  uint64_t storage_tiles;
  TilePath path;
  Tiling tiling;
  TileCarry carry;
  Kernel totals, tiles;  // look_back has only the second.
};

RunLengthEncode::RunLengthEncode(const Device& device, const Element& element, uint64_t max_count,
                                 const Options& options) {
  const PlanNote note(device, RunLengthEncodeParameters{element, max_count, options});
  check_addressable("RunLengthEncode", element, max_count);
  const TilePath path = resolve_path(options.path, device.info());
  const bool wide = max_count > most_short_offset;
  const uint32_t index_words = wide ? 2 : 1;
  KernelMaker base(device, "RunLengthEncode");
  define_segments(base, index_words, wide);
  if (wide) base.define("WEFT_WIDE_INDEX");
  const Tuning measured = tuning_of(device, options.tuning);
  TileCarry carry(device, measured, path, segment_words(index_words, wide), index_sums(base, wide));

  const Tuner tuner(tuned_run_length, device.info(), measured, element.bytes());
  const auto tiling_of = [&](const StagedTuning& tuning) {
    if (tuning.serial_bytes > 0) return make_serial_tiling(element, nullptr, tuning.serial_bytes);
    return make_row_staged_tiling("RunLengthEncode", device.info(), element, nullptr, 1, tuning.tile,
                                  tuning.staged_bytes);
  };
  const StagedTuning tuning = tuner.at(max_count);
  const Tiling tiling = tiling_of(tuning);
  KernelMaker maker = base.element(element).tiling(tiling);
  define_equality(maker, element, options.equality);
  const bool serial = tiling.is_serial();
  Kernel totals = carry.make_totals(maker, serial ? "runs/run_length_serial_totals" : "runs/run_length_totals");
  Kernel tiles = carry.make_tiles(maker, tuning.look_back, serial ? "runs/run_length_serial" : "runs/run_length");
  impl_ = std::make_shared<Impl>(Impl{device, element, max_count, tuner.most_tiles(max_count, tiling_of), path, tiling,
                                      std::move(carry), std::move(totals), std::move(tiles)});
}

RunLengthEncode::RunLengthEncode(const Device& device, const Element& element, uint64_t max_count)
    : RunLengthEncode(device, element, max_count, Options{}) {}

TilePath RunLengthEncode::path() const { return impl_->path; }

uint32_t RunLengthEncode::length_bytes() const { return impl_->max_count > most_short_offset ? 8 : 4; }

uint64_t RunLengthEncode::temporary_bytes() const {
  return with_slack(impl_->carry.temporary_bytes(impl_->storage_tiles));
}

void RunLengthEncode::record(Recorder& recorder, const Arguments& given) const {
  const Impl& plan = *impl_;
  ArgumentChecks checks("RunLengthEncode", plan.device, recorder);
  Arguments arguments = given;
  arguments.temporary = checks.temporary(given.temporary, temporary_bytes());
  const uint32_t bytes = plan.element.bytes(), align = plan.element.align(), length = length_bytes();
  const ResolvedCount count = checks.count(arguments.count, plan.max_count,
                                           {{"input", arguments.input, bytes, align},
                                            {"output", arguments.output, bytes, align},
                                            {"lengths", arguments.lengths, length, length}});
  checks.written("runs", arguments.runs, plan.max_count);
  checks.overlaps();
  const RunLengthBlock block{
      arguments.input.address(),
      arguments.output.address(),
      arguments.lengths.address(),
      arguments.runs.region().address(),
      count.address,
      count.most,
      TileCarry::ticket(arguments.temporary),
      plan.carry.carries(arguments.temporary),
      vectors(plan.tiling, arguments.input, source_vectors) | count_option(count) | written_option(arguments.runs),
      0};
  plan.carry.record(recorder, arguments.temporary, count, plan.tiling, plan.device.info().limits, plan.totals,
                    plan.tiles, block);
}

uint64_t run_length_encode(Stream& stream, const Element& element, const Equality& equality, const ElementMemory& input,
                           const ElementMemory& output, const View<uint32_t>& lengths) {
  const Region &from = elements_in("run_length_encode", "input", input, element),
               &to = elements_in("run_length_encode", "output", output, element);
  const uint64_t count = from.bytes / element.bytes();
  const uint64_t max_count = std::min(kept_plan_count(count), most_short_offset);
  const auto plan = stream.cached<RunLengthEncode>(plan_key("run_length", element, equality.same, max_count), [&] {
    return std::make_shared<RunLengthEncode>(stream.device(), element, max_count,
                                             RunLengthEncode::Options{equality, TilePath::automatic});
  });
  return run_counted(stream, plan->temporary_bytes(), [&](const Region& runs, const Region& temporary) {
    plan->record(stream, {from, to, lengths, runs, count, temporary});
  });
}

}  // namespace weft
