#include <weft/compact.h>

#include <algorithm>
#include <string>

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

const TunedPrimitive<StagedTuning>& tuned_as(const Selection& selection, bool indices) {
  if (indices) return tuned_compact_indices;
  if (selection.of_runs) return tuned_unique;
  if (!selection.by_flags()) return tuned_compact;
  return selection.flag_bits == 8 ? tuned_compact_by_byte_flags : tuned_compact_by_flags;
}

// What tiles are made of: the elements, or flags that are read without them.
Element element_read(const Device& device, const Element& element, const Selection& selection, uint32_t index_bits) {
  if (index_bits == 0 || !selection.by_flags()) return element;
  const bool bytes = selection.flag_bits == 8 && device.info().features.int8;
  return bytes ? Element::of<uint8_t>() : Element::of<uint32_t>();
}

void check_index_bits(uint32_t bits, uint64_t max_count) {
  if (bits != 0 && bits != 32 && bits != 64) {
    core::invalid("Compact", "indices have 32 or 64 bits, not " + std::to_string(bits) + ".");
  }
  if (bits == 32 && max_count > uint64_t{1} << 32) {
    core::invalid("Compact", "the indices of " + core::count_text(max_count) + " elements need 64 bits, not 32.");
  }
}

template <typename Index>
uint64_t indices_to(Stream& stream, const Element& element, const Selection& selection, const ElementMemory& input,
                    const Region& flags, const View<Index>& output) {
  constexpr uint32_t bits = 8 * sizeof(Index);
  const Region& from = elements_in("compact_indices", "input", input, element);
  const uint32_t flag_bytes = std::max(1u, selection.flag_bits / 8);
  const uint64_t count = selection.by_flags() ? flags.bytes / flag_bytes : from.bytes / element.bytes();
  const uint64_t max_count = kept_plan_count(count);
  const std::string parameters = key_of(selection) + "\n" + std::to_string(bits);
  const auto plan = stream.cached<Compact>(plan_key("compact_indices", element, parameters, max_count), [&] {
    return std::make_shared<Compact>(stream.device(), element, selection, max_count,
                                     Compact::Options{.index_bits = bits});
  });
  return run_counted(stream, plan->temporary_bytes(), [&](const Region& selected, const Region& temporary) {
    plan->record(stream, {from, flags, output.region(), selected, count, temporary});
  });
}

}  // namespace

Compact::Compact(const Device& device, const Element& element, const Selection& selection, uint64_t max_count,
                 const Options& options) {
  const PlanNote note(device, CompactParameters{element, selection, max_count, options});
  const uint32_t bits = options.index_bits;
  check_index_bits(bits, max_count);
  plan_ =
      std::make_shared<SelectionPlan>(device, SelectionWork{.primitive = "Compact",
                                                            .tuned = &tuned_as(selection, bits > 0),
                                                            .tuning = options.tuning,
                                                            .element = element_read(device, element, selection, bits),
                                                            .selection = selection,
                                                            .others = {},
                                                            .index_bits = bits,
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

uint64_t compact_indices(Stream& stream, const Element& element, const Selection& selection, const ElementMemory& input,
                         const Region& flags, const View<uint32_t>& output) {
  return indices_to(stream, element, selection, input, flags, output);
}

uint64_t compact_indices(Stream& stream, const Element& element, const Selection& selection, const ElementMemory& input,
                         const Region& flags, const View<uint64_t>& output) {
  return indices_to(stream, element, selection, input, flags, output);
}

}  // namespace weft
