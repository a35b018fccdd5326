#include <weft/merge_sort.h>

#include "algorithms/src/base/kept_plans.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/sorts.h"
#include "algorithms/src/sort/merge_sort_plan.h"

namespace weft {

using namespace algorithms;

MergeSort::MergeSort(const Device& device, const Element& element, const Comparison& comparison, uint64_t max_count,
                     const Options& options) {
  const PlanNote note(device, MergeSortParameters{element, comparison, max_count, options});
  plan_ = std::make_shared<MergeSortPlan>(
      device, MergeSortWork{.primitive = "MergeSort",
                            .tuned = options.values ? &tuned_merge_sort_pairs : &tuned_merge_sort,
                            .tuning = options.tuning,
                            .element = element,
                            .comparison = comparison,
                            .values = options.values,
                            .max_count = max_count,
                            .max_segments = {}});
}

MergeSort::MergeSort(const Device& device, const Element& element, const Comparison& comparison, uint64_t max_count)
    : MergeSort(device, element, comparison, max_count, Options{}) {}

uint64_t MergeSort::temporary_bytes() const { return plan_->temporary_bytes(); }

void MergeSort::record(Recorder& recorder, const Arguments& arguments) const {
  plan_->record(recorder, {.input = arguments.input,
                           .input_values = arguments.input_values,
                           .output = arguments.output,
                           .output_values = arguments.output_values,
                           .offsets = {},
                           .count = arguments.count,
                           .temporary = arguments.temporary});
}

void merge_sort(Stream& stream, const Element& element, const Comparison& comparison, const ElementMemory& input,
                const ElementMemory& output) {
  const Region &from = elements_in("merge_sort", "input", input, element),
               &to = elements_in("merge_sort", "output", output, element);
  const uint64_t count = from.bytes / element.bytes(), max_count = kept_plan_count(count);
  const auto plan = stream.cached<MergeSort>(plan_key("merge_sort", element, comparison.before, max_count), [&] {
    return std::make_shared<MergeSort>(stream.device(), element, comparison, max_count);
  });
  plan->record(stream, {from, {}, to, {}, count, stream.scratch(plan->temporary_bytes())});
}

}  // namespace weft
