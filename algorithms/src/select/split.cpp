#include <weft/split.h>

#include <weft/error.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/tile_carry.h"
#include "algorithms/src/base/tiling.h"
#include "algorithms/src/base/tuning.h"
#include "algorithms/src/select/selection_tuning.h"

namespace weft {
namespace {

using namespace algorithms;

// WeftSplitOutputs of the blocks below.
struct Outputs {
  uint64_t first, second, third, counts;
};
// Push constants of shaders/kernels/select/split_look_back.comp.
struct LookBackBlock {
  uint64_t source;
  Outputs outputs;
  uint64_t count_on_device, count, ticket, state;
  uint32_t options, unused;
};
// Push constants of shaders/kernels/select/split_counts.comp.
struct CountsBlock {
  uint64_t source, counts, count_on_device, count;
  uint32_t options, unused;
};
// Push constants of shaders/kernels/select/split_tiles.comp.
struct TilesBlock {
  uint64_t source;
  Outputs outputs;
  uint64_t count_on_device, count, places;
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

  Outputs outputs(const Arguments& arguments) const {
    return {arguments.first.address(), arguments.second.address(), arguments.third.address(),
            arguments.counts.address()};
  }

  void look_back(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count, uint32_t options) const {
    const uint64_t tile_count = tiling.tiles(count.most);
    carry.clear(recorder, arguments.temporary, tile_count);
    const LookBackBlock block{arguments.input.address(),
                              outputs(arguments),
                              count.address,
                              count.most,
                              TileCarry::ticket(arguments.temporary),
                              TileCarry::state(arguments.temporary),
                              options,
                              0};
    recorder.dispatch(tiles, spread(tile_count, device.info().limits), block);
  }

  void reduce_then_scan(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count,
                        uint32_t options) const {
    const Groups groups = spread(tiling.tiles(count.most), device.info().limits);
    const uint64_t source = arguments.input.address(), places = arguments.temporary.address();
    const CountsBlock counts_block{source, places, count.address, count.most, options, 0};
    recorder.dispatch(counts, groups, counts_block);
    carry.scan_totals(recorder, arguments.temporary, count, tiling);
    const TilesBlock tiles_block{source, outputs(arguments), count.address, count.most, places, options, 0};
    recorder.dispatch(tiles, groups, tiles_block);
  }
};

Split::Split(const Device& device, const Element& element, const Sides& sides, uint64_t max_count,
             const Options& options) {
  check_addressable("Split", element, max_count);
  if (sides.first.empty() || sides.second.empty()) {
    throw Error(ErrorCode::invalid_argument,
                "Split: each of the two sides needs a GLSL expression of x, such as \"x < 0.5\".");
  }
  const TilePath path = resolve_path(options.path, device.info());
  const bool wide = max_count > UINT32_MAX;
  KernelMaker base(device, "Split");
  if (wide) base.define("WEFT_WIDE_INDEX");
  const Tuning measured = tuning_of(device, options.tuning);
  TileCarry carry(device, measured, path, wide ? 4 : 2, index_pair_sums(base, wide));

  const Tuner tuner(tuned_split, device.info(), measured, element.bytes());
  const auto tiling_of = [&](const StagedTuning& tuning) {
    return make_staged_tiling("Split", device.info(), element, tuning.tile);
  };
  const StagedTuning tuning = tuner.at(max_count);
  const Tiling tiling = tiling_of(tuning);
  KernelMaker maker = base.element(element).tiling(tiling);
  maker.expression("WEFT_WHERE", "selection", sides.first).expression("WEFT_WHERE_SECOND", "selection", sides.second);
  if (sides.three) maker.define("WEFT_THREE_WAY");
  Kernel counts;
  if (path == TilePath::reduce_then_scan) counts = maker.make("select/split_counts");
  Kernel tiles = path == TilePath::look_back ? maker.look_back(tuning.look_back).make("select/split_look_back")
                                             : maker.make("select/split_tiles");
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
  checks.region("counts", arguments.counts, (plan.three ? 3 : 2) * sizeof(uint64_t), sizeof(uint64_t));
  checks.overlaps();
  const uint32_t options = vectors(plan.tiling, arguments.input, source_vectors) | count_option(count);
  if (plan.path == TilePath::look_back) {
    plan.look_back(recorder, arguments, count, options);
  } else {
    plan.reduce_then_scan(recorder, arguments, count, options);
  }
}

}  // namespace weft
