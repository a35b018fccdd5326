#include <weft/segmented_sort.h>

#include "algorithms/src/base/kept_plans.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/sorts.h"
#include "algorithms/src/sort/merge_sort_plan.h"

namespace weft {

using namespace algorithms;

SegmentedSort::SegmentedSort(const Device& device, const Element& element, const Comparison& comparison,
                             uint64_t max_count, uint64_t max_segments, const Options& options) {
  const PlanNote note(device, SegmentedSortParameters{element, comparison, max_count, max_segments, options});
  plan_ = std::make_shared<MergeSortPlan>(device, MergeSortWork{.primitive = "SegmentedSort",
                                                                .tuned = &tuned_segmented_sort,
                                                                .tuning = options.tuning,
                                                                .element = element,
                                                                .comparison = comparison,
                                                                .values = options.values,
                                                                .max_count = max_count,
                                                                .max_segments = max_segments});
}

SegmentedSort::SegmentedSort(const Device& device, const Element& element, const Comparison& comparison,
                             uint64_t max_count, uint64_t max_segments)
    : SegmentedSort(device, element, comparison, max_count, max_segments, Options{}) {}

uint32_t SegmentedSort::offset_bytes() const { return plan_->offset_bytes(); }

uint64_t SegmentedSort::temporary_bytes() const { return plan_->temporary_bytes(); }

void SegmentedSort::record(Recorder& recorder, const Arguments& arguments) const {
  plan_->record(recorder, {.input = arguments.input,
                           .input_values = arguments.input_values,
                           .output = arguments.output,
                           .output_values = arguments.output_values,
                           .offsets = arguments.offsets,
                           .segment_count = arguments.segment_count,
                           .count = arguments.count,
                           .temporary = arguments.temporary});
}

void segmented_sort(Stream& stream, const Element& element, const Comparison& comparison, const ElementMemory& input,
                    const View<const uint32_t>& offsets, const ElementMemory& output) {
  const Region &from = elements_in("segmented_sort", "input", input, element),
               &to = elements_in("segmented_sort", "output", output, element);
  const uint64_t count = from.bytes / element.bytes(), segments = segments_of("segmented_sort", offsets);
  const uint64_t max_count = kept_short_count("segmented_sort", count);
  const uint64_t max_segments = kept_short_count("segmented_sort", segments);
  const std::string parameters = comparison.before + "\n" + std::to_string(max_segments);
  const auto plan = stream.cached<SegmentedSort>(plan_key("segmented_sort", element, parameters, max_count), [&] {
    return std::make_shared<SegmentedSort>(stream.device(), element, comparison, max_count, max_segments);
  });
  plan->record(stream, {from, {}, offsets.region(), to, {}, segments, count, stream.scratch(plan->temporary_bytes())});
}

}  // namespace weft
