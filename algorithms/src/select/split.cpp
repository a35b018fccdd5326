#include <weft/split.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/tile_carry.h"
#include "algorithms/src/base/tiling.h"
#include "algorithms/src/base/tuning.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/selections.h"
#include "algorithms/src/select/selection_tuning.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

// Push constants of shaders/kernels/select/split_arguments.glsl.
struct SplitBlock {
  uint64_t source, first, second, third, counts, count_on_device, count, ticket, carries;
  uint32_t options, unused;
};

// As index_sums(), of pairs: an index in each of the first two outputs.
KernelMaker index_pair_sums(KernelMaker maker, bool wide) {
  maker.define("WEFT_SCALAR", wide ? "uvec4" : "uvec2").define("T_WORDS", wide ? "4" : "2");
  maker.define("WEFT_COMBINE", wide ? "T(weft_add(a.xy, b.xy), weft_add(a.zw, b.zw))" : "a + b");
  return maker.define("WEFT_IDENTITY", "T(0u)");
}

}  // namespace

struct Split::Impl {
  Device device;
  Element element;
  bool three;
  uint64_t max_count, storage_tiles;
  TilePath path;
  Tiling tiling;
  TileCarry carry;
  Kernel counts, tiles;  // look_back has only the second.
};

Split::Split(const Device& device, const Element& element, const Sides& sides, uint64_t max_count,
             const Options& options) {
  const PlanNote note(device, SplitParameters{element, sides, max_count, options});
  check_addressable("Split", element, max_count);
  if (sides.first.empty() || sides.second.empty()) {
    core::invalid("Split", "each of the two sides needs a GLSL expression of x, such as \"x < 0.5\".");
  }
  const TilePath path = resolve_path(options.path, device.info());
  const bool wide = max_count > UINT32_MAX;
  KernelMaker base(device, "Split");
  if (wide) base.define("WEFT_WIDE_INDEX");
  const Tuning measured = tuning_of(device, options.tuning);
  TileCarry carry(device, measured, path, wide ? 4 : 2, index_pair_sums(base, wide));

  const Tuner tuner(tuned_split, device.info(), measured, element.bytes());
  const auto tiling_of = [&](const StagedTuning& tuning) {
    if (tuning.serial_bytes > 0) return make_serial_tiling(element, nullptr, tuning.serial_bytes);
    return make_staged_tiling("Split", device.info(), element, tuning.tile);
  };
  const StagedTuning tuning = tuner.at(max_count);
  const Tiling tiling = tiling_of(tuning);
  KernelMaker maker = base.element(element).tiling(tiling);
  maker.expression("WEFT_WHERE", "selection", sides.first).expression("WEFT_WHERE_SECOND", "selection", sides.second);
  if (sides.three) maker.define("WEFT_THREE_WAY");
  const bool serial = tiling.is_serial();
  Kernel counts = carry.make_totals(maker, serial ? "select/split_serial_counts" : "select/split_counts");
  Kernel tiles = carry.make_tiles(maker, tuning.look_back, serial ? "select/split_serial" : "select/split");
  impl_ = std::make_shared<Impl>(Impl{device, element, sides.three, max_count, tuner.most_tiles(max_count, tiling_of),
                                      path, tiling, std::move(carry), std::move(counts), std::move(tiles)});
}

Split::Split(const Device& device, const Element& element, const Sides& sides, uint64_t max_count)
    : Split(device, element, sides, max_count, Options{}) {}

TilePath Split::path() const { return impl_->path; }

uint64_t Split::temporary_bytes() const { return with_slack(impl_->carry.temporary_bytes(impl_->storage_tiles)); }

void Split::record(Recorder& recorder, const Arguments& given) const {
  const Impl& plan = *impl_;
  ArgumentChecks checks("Split", plan.device, recorder);
  Arguments arguments = given;
  arguments.temporary = checks.temporary(given.temporary, temporary_bytes());
  const uint32_t bytes = plan.element.bytes(), align = plan.element.align();
  const ArgumentChecks::Holder input{"input", arguments.input, bytes, align};
  const ArgumentChecks::Holder first{"first", arguments.first, bytes, align};
  const ArgumentChecks::Holder second{"second", arguments.second, bytes, align};
  const ArgumentChecks::Holder third{"third", arguments.third, bytes, align};
  const ResolvedCount count = plan.three ? checks.count(arguments.count, plan.max_count, {input, first, second, third})
                                         : checks.count(arguments.count, plan.max_count, {input, first, second});
  if (!plan.three) checks.empty("third", arguments.third, "the plan has two outputs");
  checks.written("counts", arguments.counts, plan.max_count, plan.three ? 3 : 2);
  checks.overlaps();
  const SplitBlock block{
      arguments.input.address(),
      arguments.first.address(),
      arguments.second.address(),
      arguments.third.address(),
      arguments.counts.region().address(),
      count.address,
      count.most,
      TileCarry::ticket(arguments.temporary),
      plan.carry.carries(arguments.temporary),
      vectors(plan.tiling, arguments.input, source_vectors) | count_option(count) | written_option(arguments.counts),
      0};
  plan.carry.record(recorder, arguments.temporary, count, plan.tiling, plan.device.info().limits, plan.counts,
                    plan.tiles, block);
}

}  // namespace weft
