#include <weft/by_key.h>

#include "algorithms/src/base/kept_plans.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/runs.h"
#include "algorithms/src/runs/segments.h"
#include "algorithms/src/runs/segments_tuning.h"

namespace weft {

using namespace algorithms;

ReduceByKey::ReduceByKey(const Device& device, const Element& key, const Element& value, const Operator& op,
                         uint64_t max_count, const Options& options) {
  const PlanNote note(device, ReduceByKeyParameters{key, value, op, max_count, options});
  plan_ = std::make_shared<SegmentsPlan>(device, SegmentsWork{.primitive = "ReduceByKey",
                                                              .tuned = &tuned_reduce_by_key,
                                                              .tuning = options.tuning,
                                                              .heads = Heads::keys,
                                                              .key = key,
                                                              .equality = options.equality,
                                                              .element = value,
                                                              .op = op,
                                                              .max_count = max_count,
                                                              .max_segments = 0,
                                                              .path = options.path,
                                                              .scan = {}});
}

ReduceByKey::ReduceByKey(const Device& device, const Element& key, const Element& value, const Operator& op,
                         uint64_t max_count)
    : ReduceByKey(device, key, value, op, max_count, Options{}) {}

TilePath ReduceByKey::path() const { return plan_->path(); }

uint64_t ReduceByKey::temporary_bytes() const { return plan_->temporary_bytes(); }

void ReduceByKey::record(Recorder& recorder, const Arguments& arguments) const {
  plan_->record(recorder, {.heads = arguments.keys,
                           .values = arguments.values,
                           .keys_output = arguments.unique_keys,
                           .output = arguments.output,
                           .segments = arguments.runs,
                           .count = arguments.count,
                           .temporary = arguments.temporary});
}

ScanByKey::ScanByKey(const Device& device, const Element& key, const Element& value, const Operator& op,
                     uint64_t max_count, const Options& options) {
  const PlanNote note(device, ScanByKeyParameters{key, value, op, max_count, options});
  plan_ = std::make_shared<SegmentsPlan>(device, SegmentsWork{.primitive = "ScanByKey",
                                                              .tuned = &tuned_scan_by_key,
                                                              .tuning = options.tuning,
                                                              .heads = Heads::keys,
                                                              .key = key,
                                                              .equality = options.equality,
                                                              .element = value,
                                                              .op = op,
                                                              .max_count = max_count,
                                                              .max_segments = 0,
                                                              .path = options.path,
                                                              .scan = options.kind,
                                                              .initial = options.initial});
}

ScanByKey::ScanByKey(const Device& device, const Element& key, const Element& value, const Operator& op,
                     uint64_t max_count)
    : ScanByKey(device, key, value, op, max_count, Options{}) {}

TilePath ScanByKey::path() const { return plan_->path(); }

uint64_t ScanByKey::temporary_bytes() const { return plan_->temporary_bytes(); }

void ScanByKey::record(Recorder& recorder, const Arguments& arguments) const {
  plan_->record(recorder, {.heads = arguments.keys,
                           .values = arguments.input,
                           .keys_output = {},
                           .output = arguments.output,
                           .segments = {},
                           .count = arguments.count,
                           .temporary = arguments.temporary});
}

uint64_t reduce_by_key(Stream& stream, const Element& key, const Element& value, const Operator& op,
                       const Equality& equality, const ElementMemory& keys, const ElementMemory& values,
                       const ElementMemory& unique_keys, const ElementMemory& output) {
  const auto of = [](const char* name, const ElementMemory& memory, const Element& element) {
    return elements_in("reduce_by_key", name, memory, element);
  };
  const Region in = of("keys", keys, key), with = of("values", values, value);
  const Region unique = of("unique_keys", unique_keys, key), to = of("output", output, value);
  const uint64_t count = in.bytes / key.bytes(), max_count = kept_plan_count(count);
  const std::string parameters = key.name() + "\n" + equality.same + "\n" + key_of(op);
  const auto plan = stream.cached<ReduceByKey>(plan_key("reduce_by_key", value, parameters, max_count), [&] {
    return std::make_shared<ReduceByKey>(stream.device(), key, value, op, max_count,
                                         ReduceByKey::Options{equality, TilePath::automatic});
  });
  return run_counted(stream, plan->temporary_bytes(), [&](const Region& runs, const Region& temporary) {
    plan->record(stream, {in, with, unique, to, runs, count, temporary});
  });
}

void scan_by_key(Stream& stream, const Element& key, const Element& value, const Operator& op, ScanKind kind,
                 const Equality& equality, const ElementMemory& keys, const ElementMemory& input,
                 const ElementMemory& output) {
  const Region &in = elements_in("scan_by_key", "keys", keys, key),
               &from = elements_in("scan_by_key", "input", input, value),
               &to = elements_in("scan_by_key", "output", output, value);
  const uint64_t count = in.bytes / key.bytes(), max_count = kept_plan_count(count);
  const std::string parameters = key.name() + "\n" + equality.same + "\n" + key_of(op) +
                                 (kind == ScanKind::inclusive ? "\ninclusive" : "\nexclusive");
  const auto plan = stream.cached<ScanByKey>(plan_key("scan_by_key", value, parameters, max_count), [&] {
    return std::make_shared<ScanByKey>(stream.device(), key, value, op, max_count,
                                       ScanByKey::Options{.kind = kind, .equality = equality});
  });
  plan->record(stream, {in, from, to, count, stream.scratch(plan->temporary_bytes())});
}

}  // namespace weft
