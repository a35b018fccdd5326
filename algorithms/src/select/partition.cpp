#include <weft/partition.h>

#include "algorithms/src/base/kept_plans.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/selections.h"
#include "algorithms/src/select/selection.h"
#include "algorithms/src/select/selection_plan.h"
#include "algorithms/src/select/selection_tuning.h"
#include "core/src/runtime/messages.h"

namespace weft {

using namespace algorithms;

namespace {

TilePath path_of(const Partition::Options& options) {
  if (options.others != Others::behind) return options.path;
  if (options.path == TilePath::look_back) {
    core::invalid("Partition",
                  "Others::behind needs reduce_then_scan, because the first index of the others is known only at "
                  "the end; for look_back, use Others::reversed or Others::apart.");
  }
  return TilePath::reduce_then_scan;
}

}  // namespace

Partition::Partition(const Device& device, const Element& element, const Selection& selection, uint64_t max_count,
                     const Options& options) {
  const PlanNote note(device, PartitionParameters{element, selection, max_count, options});
  plan_ = std::make_shared<SelectionPlan>(device, SelectionWork{.primitive = "Partition",
                                                                .tuned = &tuned_partition,
                                                                .tuning = options.tuning,
                                                                .element = element,
                                                                .selection = selection,
                                                                .others = options.others,
                                                                .max_count = max_count,
                                                                .path = path_of(options)});
}

Partition::Partition(const Device& device, const Element& element, const Selection& selection, uint64_t max_count)
    : Partition(device, element, selection, max_count, Options{}) {}

TilePath Partition::path() const { return plan_->path(); }

uint64_t Partition::temporary_bytes() const { return plan_->temporary_bytes(); }

void Partition::record(Recorder& recorder, const Arguments& arguments) const {
  plan_->record(recorder, {.input = arguments.input,
                           .flags = arguments.flags,
                           .output = arguments.output,
                           .others = arguments.others,
                           .selected = arguments.selected,
                           .count = arguments.count,
                           .temporary = arguments.temporary});
}

uint64_t partition(Stream& stream, const Element& element, const Selection& selection, const ElementMemory& input,
                   const Region& flags, const ElementMemory& output) {
  const Region &from = elements_in("partition", "input", input, element),
               &to = elements_in("partition", "output", output, element);
  const uint64_t count = from.bytes / element.bytes(), max_count = kept_plan_count(count);
  const auto plan = stream.cached<Partition>(plan_key("partition", element, key_of(selection), max_count), [&] {
    return std::make_shared<Partition>(stream.device(), element, selection, max_count,
                                       Partition::Options{.others = Others::behind});
  });
  return run_counted(stream, plan->temporary_bytes(), [&](const Region& selected, const Region& temporary) {
    plan->record(stream, {.input = from,
                          .flags = flags,
                          .output = to,
                          .others = {},
                          .selected = selected,
                          .count = count,
                          .temporary = temporary});
  });
}

}  // namespace weft
