#include "algorithms/src/sort/merge_sort_plan.h"

#include <algorithm>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/temporary_layout.h"
#include "algorithms/src/base/tuning.h"
#include "algorithms/src/sort/merge_pass.h"

namespace weft::algorithms {
namespace {

// Push constants of shaders/kernels/sort/merge_sort_arguments.glsl.
struct MergeTilesBlock {
  uint64_t source, destination, source_values, destination_values, count_on_device, count;
  uint32_t options, list_words;
  uint64_t offsets, bounds, segments_on_device, segments, settled, settled_values, lists;  // For segments.
};

// Kernels keep segments in workgroup memory beside a tile: shaders/workgroup/tile_segments.glsl.
DeviceInfo with_room_for_segments(DeviceInfo device, const MergeTuning& tuning) {
  device.limits.workgroup_memory_bytes -= 4 * std::max(tuning.tile.workgroup, tuning.run_workgroup) + 32;
  return device;
}

constexpr uint64_t most_merges = 64;  // Counts have 64 bits.

// Kernels have a word with one bit for each of an invocation's elements.
TileTuning with_few_rows(TileTuning tuning, const Element& element) {
  tuning.bytes_per_invocation = std::min(tuning.bytes_per_invocation, 31 * 4 * element.words());
  return tuning;
}

// Temporary storage.
struct Storage {
  Storage(const MergeSortWork& work, bool wide, uint64_t tiles)
      : elements(layout.add(work.max_count * work.element.bytes())),
        values(layout.add(work.values ? work.max_count * work.values->bytes() : 0)),
        splits(layout.add(MergePass::split_bytes(wide, tiles))),
        bounds(layout.add(work.max_segments ? MergePass::bound_bytes(wide, tiles) : 0)),
        busy(layout.add(work.max_segments ? most_merges * MergePass::busy_bytes : 0)),
        busy_tiles(layout.add(work.max_segments ? MergePass::busy_tile_bytes(tiles) : 0)) {}

  TemporaryLayout layout;
  TemporaryLayout::Part elements, values;  // The output of every other merge.
  TemporaryLayout::Part splits;
  TemporaryLayout::Part bounds, busy, busy_tiles;  // With segments.
};

}  // namespace

struct MergeSortPlan::Impl {
  Device device;
  MergeSortWork work;
  bool wide;
  Storage storage;
  Tiling tiling;
  Kernel tiles;
  uint32_t run_tiles;             // Tiles in each run after the first dispatch.
  std::optional<MergePass> pass;  // None for a maximum of one tile.

  uint32_t offset_bytes() const { return wide ? 8 : 4; }

  // Number of merges from sorted tiles to one run.
  uint32_t merges(uint64_t count) const {
    uint32_t merges = 0;
    for (uint64_t run = tiling.elements(); run < count; run *= 2) ++merges;
    return merges;
  }

  // The checked arguments, and the parts of temporary storage.
  struct Job {
    Items input, output, other;
    ResolvedCount count, segments;
    uint64_t offsets;
    Region splits, bounds, busy, busy_tiles;
  };

  ResolvedCount check_segments(ArgumentChecks& checks, const Arguments& arguments) const;
  Job job(ArgumentChecks& checks, const Arguments& arguments) const;
  void sort_tiles(Recorder& recorder, const Job& job, const Items& output, uint32_t merges) const;
  void sort(Recorder& recorder, const Job& job) const;
};

MergeSortPlan::MergeSortPlan(const Device& device, const MergeSortWork& work) {
  const Element& element = work.element;
  const bool segments = work.max_segments.has_value();
  const bool wide =
      work.max_count > UINT32_MAX || (segments && std::max(work.max_count, *work.max_segments) > most_short_offset);
  KernelMaker maker =
      ordered_kernels(work.primitive, device, element, work.comparison, work.values, work.max_count, wide);
  if (segments) maker.define("WEFT_SEGMENTS");

  const uint32_t words = shared_words(element, work.values.has_value());
  const Tuner tuner(*work.tuned, device.info(), tuning_of(device, work.tuning), element.bytes());
  const auto room = [&](const MergeTuning& tuning) {
    return segments ? with_room_for_segments(device.info(), tuning) : device.info();
  };
  const auto tiling_of = [&](const MergeTuning& tuning) {
    const auto serial = MergePass::serial_tiling(device.info(), element, work.values.has_value(), tuning);
    if (serial && !segments) return *serial;
    return make_item_tiling(work.primitive, room(tuning), element, words,
                            segments ? with_few_rows(tuning.tile, element) : tuning.tile);
  };
  const MergeTuning tuning = tuner.at(work.max_count);
  const Tiling merged = tiling_of(tuning);
  const Tiling sorted =
      merged.is_serial() ? merged : widen_item_tiling(merged, room(tuning), words, tuning.run_workgroup);
  const uint32_t resident = tuning.workgroups_per_multiprocessor * merged.workgroup / sorted.workgroup;
  const char* name = sorted.is_serial() ? "sort/merge_sort_tiles_serial" : "sort/merge_sort_tiles";
  Kernel tiles = KernelMaker(maker).tiling(sorted).workgroups_per_multiprocessor(resident).make(name);
  std::optional<MergePass> pass;
  const MergePass::Of of = segments ? MergePass::Of::runs_of_segments : MergePass::Of::runs;
  if (work.max_count > sorted.elements()) pass.emplace(device, maker, merged, tuning, of);
  const Storage storage(work, wide, tuner.most_tiles(work.max_count, tiling_of));
  impl_ = std::make_shared<Impl>(Impl{device, work, wide, storage, sorted, std::move(tiles),
                                      uint32_t(sorted.elements() / merged.elements()), std::move(pass)});
}

uint64_t MergeSortPlan::temporary_bytes() const { return with_slack(impl_->storage.layout.bytes()); }

uint32_t MergeSortPlan::offset_bytes() const { return impl_->offset_bytes(); }

// The number of segments; none for a sort of everything.
ResolvedCount MergeSortPlan::Impl::check_segments(ArgumentChecks& checks, const Arguments& arguments) const {
  if (!work.max_segments) return {};
  return checks.segments("offsets", arguments.offsets, offset_bytes(), arguments.segment_count, *work.max_segments);
}

MergeSortPlan::Impl::Job MergeSortPlan::Impl::job(ArgumentChecks& checks, const Arguments& arguments) const {
  Job job;
  job.input = {arguments.input, arguments.input_values};
  job.output = {arguments.output, arguments.output_values};
  job.count = sorted_count(checks, work.element, work.values, arguments.count, work.max_count, job.input, job.output);
  job.segments = check_segments(checks, arguments);
  checks.overlaps();
  job.offsets = arguments.offsets.address();
  const Region& temporary = arguments.temporary;
  job.other = {storage.elements.in(temporary), storage.values.in(temporary)};
  job.splits = storage.splits.in(temporary);
  job.bounds = storage.bounds.in(temporary);
  job.busy = storage.busy.in(temporary);
  job.busy_tiles = storage.busy_tiles.in(temporary);
  return job;
}

void MergeSortPlan::Impl::sort_tiles(Recorder& recorder, const Job& job, const Items& output, uint32_t merges) const {
  const ResolvedCount &count = job.count, &segments = job.segments;
  const MergeTilesBlock block{job.input.elements.address(),
                              output.elements.address(),
                              job.input.values.address(),
                              output.values.address(),
                              count.address,
                              count.most,
                              count_option(count) | second_count_option(segments),
                              work.max_segments ? uint32_t(merges * MergePass::busy_bytes / 4) : 0,
                              job.offsets,
                              merges > 0 ? job.bounds.address() : 0,
                              segments.address,
                              segments.most,
                              job.output.elements.address(),
                              job.output.values.address(),
                              job.busy.address()};
  recorder.dispatch(tiles, spread(tiling.tiles(count.most), device.info().limits), block);
}

// Sorted tiles and each merge alternate between temporary storage and the output, so that the last one writes the
// output. Segments within one tile are written to the output at once, and then short segments in two tiles.
void MergeSortPlan::Impl::sort(Recorder& recorder, const Job& job) const {
  const uint32_t all = merges(job.count.most);
  const bool listed = work.max_segments && all > 0;
  const SegmentsOfTiles segments{job.bounds, run_tiles, all, job.busy, job.busy_tiles};
  const auto items = [&](uint32_t merges_before) { return (all - merges_before) % 2 == 0 ? job.output : job.other; };
  sort_tiles(recorder, job, items(0), all);
  if (listed) pass->merge_bounds(recorder, items(0), job.output, job.count, segments);
  for (uint32_t merge = 0; merge < all; ++merge) {
    const Items input = items(merge), output = items(merge + 1);
    if (listed) {
      pass->merge_segments(recorder, input, output, job.count, merge, job.splits, segments);
    } else {
      pass->merge_runs(recorder, input, output, job.count, run_tiles << merge, job.splits);
    }
  }
}

void MergeSortPlan::record(Recorder& recorder, const Arguments& given) const {
  const Impl& plan = *impl_;
  ArgumentChecks checks(plan.work.primitive, plan.device, recorder);
  Arguments arguments = given;
  arguments.temporary = checks.temporary(given.temporary, temporary_bytes());
  const Impl::Job job = plan.job(checks, arguments);
  if (job.count.most > 0) plan.sort(recorder, job);
}

}  // namespace weft::algorithms
