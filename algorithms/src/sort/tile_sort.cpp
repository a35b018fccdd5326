#include <weft/tile_sort.h>

#include <algorithm>

#include <weft/error.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/sorts.h"
#include "algorithms/src/sort/merge_pass.h"
#include "algorithms/src/sort/tile_sort_tuning.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

// Push constants of shaders/kernels/sort/tile_sort.comp.
struct TileSortBlock {
  uint64_t source, destination, source_values, destination_values, count_on_device, count;
  uint32_t run_length, group_length, options, unused;
};

// A tiling whose tile holds at least one sequence of this length.
Tiling tiling_for(const DeviceInfo& device, const Tuning& measured, const Element& element, uint32_t words,
                  uint32_t length) {
  const PlainTuning tuning = Tuner(tuned_tile_sort, device, measured, element.bytes()).at(length);
  Tiling tiling = make_item_tiling("TileSort", device, element, words, tuning.tile);
  tiling.rows = std::max(tiling.rows, (length - 1) / tiling.workgroup + 1);
  const uint64_t bytes = tiling.elements() * words * 4;
  if (bytes <= device.limits.workgroup_memory_bytes) return tiling;
  throw Error(ErrorCode::unsupported, "TileSort: sequences of " + std::to_string(length) + " elements take " +
                                          std::to_string(bytes) + " bytes of workgroup memory, and a workgroup has " +
                                          std::to_string(device.limits.workgroup_memory_bytes) + " on " +
                                          device.selector + " (" + device.name + "); MergeSort has no limit.");
}

}  // namespace

struct TileSort::Impl {
  Device device;
  Element element;
  std::optional<Element> values;
  uint64_t max_count;
  uint32_t length, group_length;  // Elements of a sequence, and of all sequences in a workgroup.
  Kernel kernel;
};

TileSort::TileSort(const Device& device, const Element& element, const Comparison& comparison, uint32_t length,
                   uint64_t max_count, const Options& options) {
  const PlanNote note(device, TileSortParameters{element, comparison, length, max_count, options});
  if (length == 0) core::invalid("TileSort", "sequences must have at least 1 element, not 0.");
  KernelMaker maker =
      ordered_kernels("TileSort", device, element, comparison, options.values, max_count, max_count > UINT32_MAX);
  const Tiling tiling = tiling_for(device.info(), tuning_of(device, options.tuning), element,
                                   shared_words(element, options.values.has_value()), length);
  maker.tiling(tiling);
  if (options.network == SortingNetwork::odd_even) maker.define("WEFT_ODD_EVEN");
  const auto group_length = uint32_t(tiling.elements() / length * length);
  impl_ = std::make_shared<Impl>(
      Impl{device, element, options.values, max_count, length, group_length, maker.make("sort/tile_sort")});
}

TileSort::TileSort(const Device& device, const Element& element, const Comparison& comparison, uint32_t length,
                   uint64_t max_count)
    : TileSort(device, element, comparison, length, max_count, Options{}) {}

void TileSort::record(Recorder& recorder, const Arguments& arguments) const {
  const Impl& plan = *impl_;
  ArgumentChecks checks("TileSort", plan.device, recorder);
  const Items input{arguments.input, arguments.input_values}, output{arguments.output, arguments.output_values};
  const ResolvedCount count =
      sorted_count(checks, plan.element, plan.values, arguments.count, plan.max_count, input, output);
  checks.overlaps();
  if (count.most == 0) return;
  const TileSortBlock block{input.elements.address(),
                            output.elements.address(),
                            input.values.address(),
                            output.values.address(),
                            count.address,
                            count.most,
                            plan.length,
                            plan.group_length,
                            count_option(count),
                            0};
  const uint64_t groups = (count.most - 1) / plan.group_length + 1;
  recorder.dispatch(plan.kernel, spread(groups, plan.device.info().limits), block);
}

}  // namespace weft
