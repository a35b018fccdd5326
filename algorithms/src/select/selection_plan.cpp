#include "algorithms/src/select/selection_plan.h"

#include <string>
#include <vector>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/index_sum.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/temporary_layout.h"
#include "algorithms/src/base/tile_carry.h"
#include "algorithms/src/base/tiling.h"
#include "algorithms/src/base/tuning.h"
#include "algorithms/src/select/selection.h"

namespace weft::algorithms {
namespace {

// Push constants of shaders/kernels/select/arguments.glsl.
struct SelectionBlock {
  uint64_t source, flags, destination, others, selected, count_on_device, count, ticket, carries, all_selected;
  uint32_t options, unused;
};

// Temporary storage.
struct SelectionStorage {
  SelectionStorage(const TileCarry& way, uint64_t tiles, bool has_total)
      : carry(layout.add(way.temporary_bytes(tiles))), all_selected(layout.add(has_total ? sizeof(uint64_t) : 0)) {}

  TemporaryLayout layout;
  TemporaryLayout::Part carry;
  TemporaryLayout::Part all_selected;  // The number of all selected elements, for partitions on reduce_then_scan.
};

const char* kernel_of(const SelectionWork& work, const Tiling& tiling) {
  if (tiling.is_serial()) return work.others ? "select/partition_serial" : "select/compact_serial";
  return work.others ? "select/partition" : "select/compact";
}

}  // namespace

struct SelectionPlan::Impl {
  Device device;
  SelectionWork work;
  SelectionStorage storage;
  TilePath path;
  Tiling tiling;
  TileCarry carry;
  Kernel counts, tiles;  // look_back has only the second.

  // Indices by flags need no elements.
  bool reads_elements() const { return work.index_bits == 0 || !work.selection.by_flags(); }
  uint32_t output_bytes() const { return work.index_bits > 0 ? work.index_bits / 8 : work.element.bytes(); }
  uint32_t output_align() const { return work.index_bits > 0 ? work.index_bits / 8 : work.element.align(); }

  uint32_t options(const Arguments& arguments, const ResolvedCount& count) const {
    const bool flag_vectors = work.selection.by_flags() && arguments.flags.address() % 16 == 0;
    return vectors(tiling, arguments.input, source_vectors) | count_option(count) | written_option(arguments.selected) |
           (flag_vectors ? uint32_t{flags_vectors} : 0u);
  }

  ResolvedCount check(ArgumentChecks& checks, const Arguments& arguments) const;
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
    if (tuning.serial_bytes > 0) return make_serial_tiling(work.element, nullptr, tuning.serial_bytes);
    return make_row_staged_tiling(work.primitive, info, work.element, nullptr, 0, tuning.tile, tuning.staged_bytes);
  };
  const StagedTuning tuning = tuner.at(work.max_count);
  const Tiling tiling = tiling_of(tuning);
  KernelMaker maker = base.element(work.element).tiling(tiling);
  define_selection(maker, work.element, work.selection);
  Kernel counts =
      carry.make_totals(maker, tiling.is_serial() ? "select/compact_serial_counts" : "select/compact_counts");
  if (work.index_bits > 0) maker.define("WEFT_INDEX_BITS", std::to_string(work.index_bits));
  if (work.others == Others::behind) maker.define("WEFT_BEHIND");
  if (work.others == Others::reversed) maker.define("WEFT_REVERSED");
  Kernel tiles = carry.make_tiles(maker, tuning.look_back, kernel_of(work, tiling));
  const bool has_total = work.others && path == TilePath::reduce_then_scan;
  const SelectionStorage storage(carry, tuner.most_tiles(work.max_count, tiling_of), has_total);
  impl_ = std::make_shared<Impl>(
      Impl{device, work, storage, path, tiling, std::move(carry), std::move(counts), std::move(tiles)});
}

TilePath SelectionPlan::path() const { return impl_->path; }

uint64_t SelectionPlan::temporary_bytes() const { return with_slack(impl_->storage.layout.bytes()); }

ResolvedCount SelectionPlan::Impl::check(ArgumentChecks& checks, const Arguments& arguments) const {
  const uint32_t bytes = work.element.bytes(), align = work.element.align(), flag_bytes = work.selection.flag_bits / 8;
  const bool by_flags = work.selection.by_flags(), apart = work.others == Others::apart;
  const ArgumentChecks::Holder input{"input", arguments.input, bytes, align};
  const ArgumentChecks::Holder output{"output", arguments.output, output_bytes(), output_align()};
  const ArgumentChecks::Holder others{"others", arguments.others, bytes, align};
  const ArgumentChecks::Holder flags{"flags", arguments.flags, flag_bytes, flag_bytes};
  std::vector<ArgumentChecks::Holder> holders{output};
  if (reads_elements()) holders.push_back(input);
  if (apart) holders.push_back(others);
  if (by_flags) holders.push_back(flags);
  const ResolvedCount count = checks.count(arguments.count, work.max_count, holders);
  if (!reads_elements()) checks.empty("input", arguments.input, "the plan writes the indices of flags");
  if (!by_flags) checks.empty("flags", arguments.flags, "the plan does not select by flags");
  if (!apart) checks.empty("others", arguments.others, "the plan writes the others after the selected elements");
  checks.written("selected", arguments.selected, work.max_count);
  checks.overlaps();
  return count;
}

void SelectionPlan::record(Recorder& recorder, const Arguments& given) const {
  const Impl& plan = *impl_;
  ArgumentChecks checks(plan.work.primitive, plan.device, recorder);
  Arguments arguments = given;
  arguments.temporary = checks.temporary(given.temporary, temporary_bytes());
  const ResolvedCount count = plan.check(checks, arguments);
  const Region carry = plan.storage.carry.in(arguments.temporary);
  const uint64_t all_selected = plan.storage.all_selected.in(arguments.temporary).address();
  const Region& others = plan.work.others == Others::apart ? arguments.others : arguments.output;
  const SelectionBlock block{arguments.input.address(),
                             arguments.flags.address(),
                             arguments.output.address(),
                             others.address(),
                             arguments.selected.region().address(),
                             count.address,
                             count.most,
                             TileCarry::ticket(carry),
                             plan.carry.carries(carry),
                             all_selected,
                             plan.options(arguments, count),
                             0};
  plan.carry.record(recorder, carry, count, plan.tiling, plan.device.info().limits, plan.counts, plan.tiles, block,
                    all_selected);
}

}  // namespace weft::algorithms
