#include "algorithms/src/select/selection_plan.h"

#include <string>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/index_sum.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/tile_carry.h"
#include "algorithms/src/base/tiling.h"
#include "algorithms/src/base/tuning.h"
#include "algorithms/src/select/selection.h"

namespace weft::algorithms {
namespace {

// Of the temporary storage of reduce_then_scan, behind the tiles' places: how many are selected in all.
constexpr uint64_t total_bytes = 16;

// Push-constant blocks of shaders/kernels/compact_*.comp and partition_*.comp, which differ in where they write, and in
// how they learn what the tiles before select.
struct Selected {
  uint64_t destination, selected;
};
struct SelectedAndOthers {
  uint64_t destination, others, selected;
};
struct LookBack {
  uint64_t ticket, state;
};
struct Places {
  uint64_t places;
};
struct PlacesAndTotal {
  uint64_t places, all_selected;
};
template <class Outputs, class Before>
struct TilesBlock {
  uint64_t source, flags;
  Outputs outputs;
  uint64_t count_on_device, count;
  Before before;
  uint32_t options, unused;
};
struct CountsBlock {
  uint64_t source, flags, counts, count_on_device, count;
  uint32_t options, unused;
};

}  // namespace

struct SelectionPlan::Impl {
  Device device;
  SelectionWork work;
  uint64_t storage_tiles;
  TilePath path;
  Tiling tiling;
  TileCarry carry;
  Kernel counts, tiles;  // look_back has only the second.

  uint32_t options(const Arguments& arguments, const ResolvedCount& count) const {
    const bool flag_vectors = work.selection.by_flags() && arguments.flags.address() % 16 == 0;
    return vectors(tiling, arguments.input, source_vectors) | count_option(count) |
           (flag_vectors ? uint32_t{flags_vectors} : 0u);
  }

  ResolvedCount check(ArgumentChecks& checks, const Arguments& arguments) const;
  template <class Outputs, class Before>
  void write_tiles(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count, const Outputs& outputs,
                   const Before& before) const;
  // `total` is where the number of all selected elements goes on reduce_then_scan, or 0.
  template <class Outputs, class Before>
  void select(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count, const Outputs& outputs,
              const Before& places, uint64_t total) const;
};

SelectionPlan::SelectionPlan(const Device& device, const SelectionWork& work) {
  const DeviceInfo& info = device.info();
  check_addressable(work.primitive, work.element, work.max_count);
  const TilePath path = resolve_path(work.path, info);
  const bool wide = work.max_count > UINT32_MAX;
  KernelMaker base(device, work.primitive);
  if (wide) base.define("WEFT_WIDE_INDEX");
  const Tuning measured = tuning_of(device, work.tuning);
  TileCarry carry(device, measured, path, wide ? 2 : 1, index_sums(base, wide));

  const Tuner tuner(*work.tuned, info, measured, work.element.bytes());
  const auto tiling_of = [&](const StagedTuning& tuning) {
    return make_row_staged_tiling(work.primitive, info, work.element, nullptr, 0, tuning.tile, tuning.staged_bytes);
  };
  const StagedTuning tuning = tuner.at(work.max_count);
  const Tiling tiling = tiling_of(tuning);
  KernelMaker maker = base.element(work.element).tiling(tiling);
  define_selection(maker, work.element, work.selection);
  Kernel counts;
  if (path == TilePath::reduce_then_scan) counts = maker.make("select/compact_counts");
  if (work.others == Others::behind) maker.define("WEFT_BEHIND");
  if (work.others == Others::reversed) maker.define("WEFT_REVERSED");
  const std::string name = work.others ? "select/partition" : "select/compact";
  Kernel tiles = path == TilePath::look_back ? maker.look_back(tuning.look_back).make(name + "_look_back")
                                             : maker.make(name + "_tiles");
  impl_ = std::make_shared<Impl>(Impl{device, work, tuner.most_tiles(work.max_count, tiling_of), path, tiling,
                                      std::move(carry), std::move(counts), std::move(tiles)});
}

TilePath SelectionPlan::path() const { return impl_->path; }

uint64_t SelectionPlan::temporary_bytes() const {
  const uint64_t carried = impl_->carry.temporary_bytes(impl_->storage_tiles);
  const bool has_total = impl_->work.others && impl_->path == TilePath::reduce_then_scan;
  return with_slack(has_total ? carried + total_bytes : carried);
}

ResolvedCount SelectionPlan::Impl::check(ArgumentChecks& checks, const Arguments& arguments) const {
  const uint32_t bytes = work.element.bytes(), align = work.element.align(), flag_bytes = work.selection.flag_bits / 8;
  const bool by_flags = work.selection.by_flags(), apart = work.others == Others::apart;
  const ArgumentChecks::Holder input{"input", arguments.input, bytes, align};
  const ArgumentChecks::Holder output{"output", arguments.output, bytes, align};
  const ArgumentChecks::Holder others{"others", arguments.others, bytes, align};
  const ArgumentChecks::Holder flags{"flags", arguments.flags, flag_bytes, flag_bytes};
  const auto checked = [&](std::initializer_list<ArgumentChecks::Holder> holders) {
    return checks.count(arguments.count, work.max_count, holders);
  };
  const ResolvedCount count =
      apart ? (by_flags ? checked({input, output, others, flags}) : checked({input, output, others}))
            : (by_flags ? checked({input, output, flags}) : checked({input, output}));
  if (!by_flags) checks.empty("flags", arguments.flags, "the plan does not select by flags");
  if (!apart) checks.empty("others", arguments.others, "the plan puts the others behind the selected elements");
  checks.region("selected", arguments.selected, 8, 8);
  checks.overlaps();
  return count;
}

template <class Outputs, class Before>
void SelectionPlan::Impl::write_tiles(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count,
                                      const Outputs& outputs, const Before& before) const {
  const TilesBlock<Outputs, Before> block{arguments.input.address(),
                                          arguments.flags.address(),
                                          outputs,
                                          count.address,
                                          count.most,
                                          before,
                                          options(arguments, count),
                                          0};
  recorder.dispatch(tiles, spread(tiling.tiles(count.most), device.info().limits), block);
}

template <class Outputs, class Before>
void SelectionPlan::Impl::select(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count,
                                 const Outputs& outputs, const Before& places, uint64_t total) const {
  const Region& temporary = arguments.temporary;
  const uint64_t tile_count = tiling.tiles(count.most);
  if (path == TilePath::look_back) {
    carry.clear(recorder, temporary, tile_count);
    const LookBack before{TileCarry::ticket(temporary), TileCarry::state(temporary)};
    return write_tiles(recorder, arguments, count, outputs, before);
  }
  const CountsBlock block{arguments.input.address(),
                          arguments.flags.address(),
                          temporary.address(),
                          count.address,
                          count.most,
                          options(arguments, count),
                          0};
  recorder.dispatch(counts, spread(tile_count, device.info().limits), block);
  carry.scan_totals(recorder, temporary, count, tiling, total);
  write_tiles(recorder, arguments, count, outputs, places);
}

void SelectionPlan::record(Recorder& recorder, const Arguments& given) const {
  const Impl& plan = *impl_;
  ArgumentChecks checks(plan.work.primitive, plan.device, recorder);
  Arguments arguments = given;
  arguments.temporary = checks.temporary(given.temporary, temporary_bytes());
  const ResolvedCount count = plan.check(checks, arguments);
  const uint64_t destination = arguments.output.address(), selected = arguments.selected.address();
  const uint64_t places = arguments.temporary.address();
  if (!plan.work.others) {
    return plan.select(recorder, arguments, count, Selected{destination, selected}, Places{places}, 0);
  }
  const uint64_t others = plan.work.others == Others::apart ? arguments.others.address() : destination;
  const uint64_t total = places + plan.carry.temporary_bytes(plan.storage_tiles);
  plan.select(recorder, arguments, count, SelectedAndOthers{destination, others, selected},
              PlacesAndTotal{places, total}, total);
}

}  // namespace weft::algorithms
