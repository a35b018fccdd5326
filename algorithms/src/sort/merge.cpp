#include <weft/merge.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kept_plans.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/sorts.h"
#include "algorithms/src/sort/merge_pass.h"
#include "core/src/runtime/messages.h"

namespace weft {

using namespace algorithms;

namespace {

constexpr const char* without_values = "the plan merges without values";

}  // namespace

struct Merge::Impl {
  Device device;
  Element element;
  std::optional<Element> values;
  uint64_t max_count, temporary_bytes;
  MergePass pass;

  // Returns a sequence's count, after checking its regions.
  ResolvedCount count_of(ArgumentChecks& checks, const Sequence& sequence, const std::string& name) const {
    const std::string values_name = name + "_values", count_name = name + "_count";
    const ArgumentChecks::Holder held{name.c_str(), sequence.elements, element.bytes(), element.align()};
    if (!values) {
      checks.empty(values_name.c_str(), sequence.values, without_values);
      return checks.count(sequence.count, max_count, {held}, count_name.c_str());
    }
    return checks.count(sequence.count, max_count,
                        {held, {values_name.c_str(), sequence.values, values->bytes(), values->align()}},
                        count_name.c_str());
  }

  void check_output(ArgumentChecks& checks, const Arguments& arguments, uint64_t all) const {
    checks.region("output", arguments.output, all * element.bytes(), element.align());
    if (!values) return checks.empty("output_values", arguments.output_values, without_values);
    checks.region("output_values", arguments.output_values, all * values->bytes(), values->align());
  }
};

Merge::Merge(const Device& device, const Element& element, const Comparison& comparison, uint64_t max_count,
             const Options& options) {
  const PlanNote note(device, MergeParameters{element, comparison, max_count, options});
  const bool wide = max_count > UINT32_MAX;
  const KernelMaker maker = ordered_kernels("Merge", device, element, comparison, options.values, max_count, wide);
  const Tuner tuner(options.values ? tuned_merge_sort_pairs : tuned_merge, device.info(),
                    tuning_of(device, options.tuning), element.bytes());
  const auto tiling_of = [&](const MergeTuning& tuning) {
    if (const auto serial = MergePass::serial_tiling(device.info(), element, options.values.has_value(), tuning)) {
      return *serial;
    }
    return make_item_tiling("Merge", device.info(), element, shared_words(element, options.values.has_value()),
                            tuning.tile);
  };
  const MergeTuning tuning = tuner.at(max_count);
  MergePass pass(device, maker, tiling_of(tuning), tuning, MergePass::Of::sequences);
  impl_ = std::make_shared<Impl>(Impl{device, element, options.values, max_count,
                                      MergePass::split_bytes(wide, tuner.most_tiles(max_count, tiling_of)),
                                      std::move(pass)});
}

Merge::Merge(const Device& device, const Element& element, const Comparison& comparison, uint64_t max_count)
    : Merge(device, element, comparison, max_count, Options{}) {}

uint64_t Merge::temporary_bytes() const { return with_slack(impl_->temporary_bytes); }

void Merge::record(Recorder& recorder, const Arguments& given) const {
  const Impl& plan = *impl_;
  ArgumentChecks checks("Merge", plan.device, recorder);
  Arguments arguments = given;
  arguments.temporary = checks.temporary(given.temporary, temporary_bytes());
  const ResolvedCount first = plan.count_of(checks, arguments.first, "first");
  const ResolvedCount second = plan.count_of(checks, arguments.second, "second");
  if (first.most > plan.max_count - second.most) {
    core::invalid(
        "Merge",
        "the sequences have up to " + std::to_string(first.most) + " and " + std::to_string(second.most) +
            " elements, and the plan was made for at most " + std::to_string(plan.max_count) +
            " together. For a count in device memory that is the capacity of its regions: pass parts of them.");
  }
  plan.check_output(checks, arguments, first.most + second.most);
  checks.overlaps();
  if (first.most + second.most == 0) return;
  plan.pass.merge_sequences(recorder, {arguments.first.elements, arguments.first.values}, first,
                            {arguments.second.elements, arguments.second.values}, second,
                            {arguments.output, arguments.output_values}, arguments.temporary);
}

void merge(Stream& stream, const Element& element, const Comparison& comparison, const ElementMemory& first,
           const ElementMemory& second, const ElementMemory& output) {
  const Region &a = elements_in("merge", "first", first, element), &b = elements_in("merge", "second", second, element),
               &to = elements_in("merge", "output", output, element);
  const uint64_t first_count = a.bytes / element.bytes(), second_count = b.bytes / element.bytes();
  const uint64_t max_count = kept_plan_count(first_count + second_count);
  const auto plan = stream.cached<Merge>(plan_key("merge", element, comparison.before, max_count), [&] {
    return std::make_shared<Merge>(stream.device(), element, comparison, max_count);
  });
  plan->record(stream, {{a, {}, first_count}, {b, {}, second_count}, to, {}, stream.scratch(plan->temporary_bytes())});
}

}  // namespace weft
