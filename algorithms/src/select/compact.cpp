#include <weft/compact.h>

#include "algorithms/src/base/kept_plans.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/selections.h"
#include "algorithms/src/select/selection.h"
#include "algorithms/src/select/selection_plan.h"
#include "algorithms/src/select/selection_tuning.h"

namespace weft {

using namespace algorithms;

namespace {

const TunedPrimitive<StagedTuning>& tuned_as(const Selection& selection) {
  if (selection.of_runs) return tuned_unique;
  if (!selection.by_flags()) return tuned_compact;
  return selection.flag_bits == 8 ? tuned_compact_by_byte_flags : tuned_compact_by_flags;
}

}  // namespace

Compact::Compact(const Device& device, const Element& element, const Selection& selection, uint64_t max_count,
                 const Options& options) {
  const PlanNote note(device, CompactParameters{element, selection, max_count, options});
  plan_ = std::make_shared<SelectionPlan>(device, SelectionWork{.primitive = "Compact",
                                                                .tuned = &tuned_as(selection),
                                                                .tuning = options.tuning,
                                                                .element = element,
                                                                .selection = selection,
                                                                .others = {},
                                                                .max_count = max_count,
                                                                .path = options.path});
}

Compact::Compact(const Device& device, const Element& element, const Selection& selection, uint64_t max_count)
    : Compact(device, element, selection, max_count, Options{}) {}

TilePath Compact::path() const { return plan_->path(); }

uint64_t Compact::temporary_bytes() const { return plan_->temporary_bytes(); }

void Compact::record(Recorder& recorder, const Arguments& arguments) const {
  plan_->record(recorder, {.input = arguments.input,
                           .flags = arguments.flags,
                           .output = arguments.output,
                           .others = {},
                           .selected = arguments.selected,
                           .count = arguments.count,
                           .temporary = arguments.temporary});
}

uint64_t compact(Stream& stream, const Element& element, const Selection& selection, const ElementMemory& input,
                 const Region& flags, const ElementMemory& output) {
  const Region &from = elements_in("compact", "input", input, element),
               &to = elements_in("compact", "output", output, element);
  const uint64_t count = from.bytes / element.bytes(), max_count = kept_plan_count(count);
  const auto plan = stream.cached<Compact>(plan_key("compact", element, key_of(selection), max_count), [&] {
    return std::make_shared<Compact>(stream.device(), element, selection, max_count);
  });
  return run_counted(stream, plan->temporary_bytes(), [&](const Region& selected, const Region& temporary) {
    plan->record(stream, {from, flags, to, selected, count, temporary});
  });
}

}  // namespace weft
