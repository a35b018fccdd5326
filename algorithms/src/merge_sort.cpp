#include <weft/merge_sort.h>

#include <array>

#include "algorithms/src/checks.h"
#include "algorithms/src/kernel_options.h"
#include "algorithms/src/merge_pass.h"
#include "algorithms/src/plan_cache.h"
#include "algorithms/src/tuning.h"

namespace weft {
namespace {

using namespace algorithms;

// Push-constant block of shaders/kernels/merge_sort_tiles.comp.
struct TilesBlock {
  uint64_t source, destination, source_values, destination_values, count_on_device, count;
  uint32_t options, unused;
};

}  // namespace

struct MergeSort::Impl {
  Device device;
  Element element;
  std::optional<Element> values;
  uint64_t max_count, split_bytes;
  Tiling tiling;
  Kernel tiles;
  uint32_t run_tiles;             // Tiles of a merge in each run that the first dispatch leaves.
  std::optional<MergePass> pass;  // Not for a maximum of one tile.

  uint64_t element_bytes() const { return round_up_16(max_count * element.bytes()); }
  uint64_t value_bytes() const { return values ? round_up_16(max_count * values->bytes()) : 0; }

  // Merges that lead from sorted tiles to one run.
  uint32_t merges(uint64_t count) const {
    uint32_t merges = 0;
    for (uint64_t run = tiling.elements(); run < count; run *= 2) ++merges;
    return merges;
  }

  void sort_tiles(Recorder& recorder, const Items& input, const Items& output, const ResolvedCount& count) const {
    const TilesBlock block{input.elements.address(),
                           output.elements.address(),
                           input.values.address(),
                           output.values.address(),
                           count.address,
                           count.most,
                           count_option(count),
                           0};
    recorder.dispatch(tiles, spread(tiling.tiles(count.most), device.info().limits), block);
  }

  // Sorted tiles, and then each merge, go back and forth between the output and temporary storage, to end in the
  // output.
  void sort(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const {
    const Items output{arguments.output, arguments.output_values};
    uint32_t left = merges(count.most);
    if (left == 0) return sort_tiles(recorder, {arguments.input, arguments.input_values}, output, count);

    const Region& temporary = arguments.temporary;
    Items other{temporary.part(0, element_bytes()), {}};
    if (values) other.values = temporary.part(element_bytes(), value_bytes());
    const Region splits = temporary.part(element_bytes() + value_bytes(), split_bytes);
    const auto place = [&](uint32_t merges_after) { return merges_after % 2 == 0 ? output : other; };
    sort_tiles(recorder, {arguments.input, arguments.input_values}, place(left), count);
    for (uint32_t run = run_tiles; left > 0; run *= 2, --left) {
      pass->merge_runs(recorder, place(left), place(left - 1), count, run, splits);
    }
  }
};

MergeSort::MergeSort(const Device& device, const Element& element, const Comparison& comparison, uint64_t max_count,
                     const Options& options) {
  KernelMaker maker = ordered_kernels("MergeSort", device, element, comparison, options.values, max_count);
  const bool values = options.values.has_value();
  const uint32_t words = shared_words(element, values);
  const Tuner tuner("merge_sort", device.info(), element.bytes());
  const auto tiling_of = [&](const Tuning& tuning) {
    return make_item_tiling("MergeSort", device.info(), element, words, tuning);
  };
  const Tuning tuning = tuner.at(max_count);
  const Tiling merged = tiling_of(tuning);
  const Tiling sorted = widen_item_tiling(merged, device.info(), words, tuning.run_workgroup);
  Tuning sort_tuning = tuning;
  sort_tuning.resident_workgroups = tuning.resident_workgroups * merged.workgroup / sorted.workgroup;
  Kernel tiles = KernelMaker(maker).tiling(sorted).tuning(sort_tuning).make("merge_sort_tiles");
  std::optional<MergePass> pass;
  if (max_count > sorted.elements()) pass.emplace(device, maker, merged, tuning, MergePass::Of::runs);
  impl_ =
      std::make_shared<Impl>(Impl{device, element, options.values, max_count,
                                  MergePass::temporary_bytes(max_count, tuner.most_tiles(max_count, tiling_of)), sorted,
                                  std::move(tiles), uint32_t(sorted.elements() / merged.elements()), std::move(pass)});
}

MergeSort::MergeSort(const Device& device, const Element& element, const Comparison& comparison, uint64_t max_count)
    : MergeSort(device, element, comparison, max_count, Options{}) {}

uint64_t MergeSort::temporary_bytes() const {
  return with_slack(impl_->element_bytes() + impl_->value_bytes() + impl_->split_bytes);
}

void MergeSort::record(Recorder& recorder, const Arguments& given) const {
  const Impl& plan = *impl_;
  const ArgumentChecks checks("MergeSort", plan.device, recorder);
  Arguments arguments = given;
  arguments.temporary = checks.temporary(given.temporary, temporary_bytes());
  const ResolvedCount count =
      sorted_count(checks, plan.element, plan.values, arguments.count, plan.max_count,
                   {arguments.input, arguments.input_values}, {arguments.output, arguments.output_values});
  if (count.most > 0) plan.sort(recorder, arguments, count);
}

void merge_sort(Stream& stream, const Element& element, const Comparison& comparison, const Region& input,
                const Region& output) {
  const uint64_t count = input.bytes / element.bytes(), max_count = kept_plan_count(count);
  const auto plan = stream.cached<MergeSort>(plan_key("merge_sort", element, comparison.before, max_count), [&] {
    return std::make_shared<MergeSort>(stream.device(), element, comparison, max_count);
  });
  plan->record(stream, {input, {}, output, {}, count, stream.scratch(plan->temporary_bytes())});
}

}  // namespace weft
