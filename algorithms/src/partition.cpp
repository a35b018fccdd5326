#include <weft/partition.h>

#include <weft/error.h>

#include "algorithms/src/checks.h"
#include "algorithms/src/kernel_maker.h"
#include "algorithms/src/kernel_options.h"
#include "algorithms/src/plan_cache.h"
#include "algorithms/src/tile_path.h"
#include "algorithms/src/tiling.h"
#include "algorithms/src/tuning.h"

namespace weft {
namespace {

using namespace algorithms;

// Of the temporary storage of reduce_then_scan, behind the tiles' places: how many are selected in all.
constexpr uint64_t total_bytes = 16;

// Push-constant blocks of the kernels in shaders/kernels.
struct LookBackBlock {
  uint64_t source, flags, destination, others, selected, count_on_device, count, ticket, state;
  uint32_t options, unused;
};
struct CountsBlock {
  uint64_t source, flags, counts, count_on_device, count;
  uint32_t options, unused;
};
struct TilesBlock {
  uint64_t source, flags, destination, others, selected, count_on_device, count, places, all_selected;
  uint32_t options, unused;
};

TilePath path_of(const Partition::Options& options, const DeviceInfo& device) {
  if (options.others != Others::behind) return resolve_path(options.path, device);
  if (options.path == TilePath::look_back) {
    throw Error(ErrorCode::invalid_argument,
                "Partition: Others::behind takes reduce_then_scan, because where the others start is known at the "
                "end; take Others::reversed or Others::apart for look_back.");
  }
  return TilePath::reduce_then_scan;
}

}  // namespace

struct Partition::Impl {
  Device device;
  Element element;
  Selection selection;
  Others others;
  uint64_t max_count, storage_tiles;
  TilePath path;
  Tiling tiling;
  TileCarry carry;
  Kernel counts, tiles;  // look_back has only the second.

  uint32_t options(const Arguments& arguments, const ResolvedCount& count) const {
    const bool flag_vectors = selection.by_flags() && arguments.flags.address() % 16 == 0;
    return vectors(tiling, arguments.input, source_vectors) | count_option(count) |
           (flag_vectors ? uint32_t{flags_vectors} : 0u);
  }

  uint64_t others_address(const Arguments& arguments) const {
    return (others == Others::apart ? arguments.others : arguments.output).address();
  }

  void look_back(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const {
    const uint64_t tile_count = tiling.tiles(count.most);
    carry.clear(recorder, arguments.temporary, tile_count);
    const LookBackBlock block{arguments.input.address(),
                              arguments.flags.address(),
                              arguments.output.address(),
                              others_address(arguments),
                              arguments.selected.address(),
                              count.address,
                              count.most,
                              TileCarry::ticket(arguments.temporary),
                              TileCarry::state(arguments.temporary),
                              options(arguments, count),
                              0};
    recorder.dispatch(tiles, spread(tile_count, device.info().limits), block);
  }

  void reduce_then_scan(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const {
    const Groups groups = spread(tiling.tiles(count.most), device.info().limits);
    const uint64_t source = arguments.input.address(), flags = arguments.flags.address();
    const uint64_t places = arguments.temporary.address(), total = places + carry.temporary_bytes(storage_tiles);
    const CountsBlock counts_block{source, flags, places, count.address, count.most, options(arguments, count), 0};
    recorder.dispatch(counts, groups, counts_block);
    carry.scan_totals(recorder, arguments.temporary, count, tiling, total);
    const TilesBlock tiles_block{source,
                                 flags,
                                 arguments.output.address(),
                                 others_address(arguments),
                                 arguments.selected.address(),
                                 count.address,
                                 count.most,
                                 places,
                                 total,
                                 options(arguments, count),
                                 0};
    recorder.dispatch(tiles, groups, tiles_block);
  }
};

Partition::Partition(const Device& device, const Element& element, const Selection& selection, uint64_t max_count,
                     const Options& options) {
  check_addressable("Partition", element, max_count);
  const TilePath path = path_of(options, device.info());
  const bool wide = max_count > UINT32_MAX;
  KernelMaker base(device, "Partition");
  if (wide) base.define("WEFT_WIDE_INDEX");
  TileCarry carry(device, path, wide ? 2 : 1, KernelMaker(base).place_sum(wide));

  const Tuner tuner("partition", device.info(), element.bytes());
  const auto tiling_of = [&](const Tuning& tuning) {
    return make_staged_tiling("Partition", device.info(), element, tuning);
  };
  const Tuning tuning = tuner.at(max_count);
  const Tiling tiling = tiling_of(tuning);
  KernelMaker maker = base.element(element).selection(element, selection).tiling(tiling);
  Kernel counts;
  if (path == TilePath::reduce_then_scan) counts = maker.make("compact_counts");
  if (options.others == Others::behind) maker.define("WEFT_BEHIND");
  if (options.others == Others::reversed) maker.define("WEFT_REVERSED");
  Kernel tiles =
      path == TilePath::look_back ? maker.tuning(tuning).make("partition_look_back") : maker.make("partition_tiles");
  impl_ = std::make_shared<Impl>(Impl{device, element, selection, options.others, max_count,
                                      tuner.most_tiles(max_count, tiling_of), path, tiling, std::move(carry),
                                      std::move(counts), std::move(tiles)});
}

Partition::Partition(const Device& device, const Element& element, const Selection& selection, uint64_t max_count)
    : Partition(device, element, selection, max_count, Options{}) {}

TilePath Partition::path() const { return impl_->path; }

uint64_t Partition::temporary_bytes() const {
  const uint64_t carried = impl_->carry.temporary_bytes(impl_->storage_tiles);
  return with_slack(impl_->path == TilePath::look_back ? carried : carried + total_bytes);
}

void Partition::record(Recorder& recorder, const Arguments& given) const {
  const Impl& plan = *impl_;
  const ArgumentChecks checks("Partition", plan.device, recorder);
  Arguments arguments = given;
  arguments.temporary = checks.temporary(given.temporary, temporary_bytes());
  const uint32_t bytes = plan.element.bytes(), align = plan.element.align();
  const uint32_t flag_bytes = plan.selection.flag_bits / 8;
  const bool by_flags = plan.selection.by_flags();
  const bool apart = plan.others == Others::apart;
  const ArgumentChecks::Holder input{"input", arguments.input, bytes, align};
  const ArgumentChecks::Holder output{"output", arguments.output, bytes, align};
  const ArgumentChecks::Holder others{"others", apart ? arguments.others : arguments.output, bytes, align};
  const ArgumentChecks::Holder flags{"flags", arguments.flags, flag_bytes, flag_bytes};
  const ResolvedCount count = by_flags ? checks.count(arguments.count, plan.max_count, {input, output, others, flags})
                                       : checks.count(arguments.count, plan.max_count, {input, output, others});
  if (!by_flags) checks.empty("flags", arguments.flags, "the plan does not select by flags");
  if (!apart) checks.empty("others", arguments.others, "the plan puts the others behind the selected elements");
  checks.apart("input", arguments.input, "output", arguments.output, count.most * bytes);
  if (apart) {
    checks.apart("input", arguments.input, "others", arguments.others, count.most * bytes);
    checks.apart("output", arguments.output, "others", arguments.others, count.most * bytes);
  }
  checks.region("selected", arguments.selected, 8, 8);
  if (plan.path == TilePath::look_back) {
    plan.look_back(recorder, arguments, count);
  } else {
    plan.reduce_then_scan(recorder, arguments, count);
  }
}

uint64_t partition(Stream& stream, const Element& element, const Selection& selection, const Region& input,
                   const Region& flags, const Region& output) {
  const uint64_t count = input.bytes / element.bytes(), max_count = kept_plan_count(count);
  const auto plan = stream.cached<Partition>(plan_key("partition", element, key_of(selection), max_count), [&] {
    return std::make_shared<Partition>(stream.device(), element, selection, max_count,
                                       Partition::Options{.others = Others::behind});
  });
  constexpr uint64_t selected_bytes = 16;
  const Region scratch = stream.scratch(selected_bytes + plan->temporary_bytes());
  const Region selected = scratch.part(0, sizeof(uint64_t));
  plan->record(stream, {.input = input,
                        .flags = flags,
                        .output = output,
                        .others = {},
                        .selected = selected,
                        .count = count,
                        .temporary = scratch.part(selected_bytes, plan->temporary_bytes())});
  uint64_t result = 0;
  stream.download_region(selected, std::as_writable_bytes(std::span(&result, 1)));
  return result;
}

}  // namespace weft
