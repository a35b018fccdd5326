#include <weft/compact.h>

#include "algorithms/src/base/kept_plans.h"
#include "algorithms/src/select/selection_plan.h"

namespace weft {

using namespace algorithms;

namespace {

const char* tuning_name(const Selection& selection) {
  if (selection.of_runs) return "unique";
  if (!selection.by_flags()) return "compact";
  return selection.flag_bits == 8 ? "compact_by_byte_flags" : "compact_by_flags";
}

}  // namespace

Compact::Compact(const Device& device, const Element& element, const Selection& selection, uint64_t max_count,
                 const Options& options)
    : plan_(std::make_shared<SelectionPlan>(device, SelectionWork{.primitive = "Compact",
                                                                  .tuning = tuning_name(selection),
                                                                  .element = element,
                                                                  .selection = selection,
                                                                  .others = {},
                                                                  .max_count = max_count,
                                                                  .path = options.path})) {}

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
