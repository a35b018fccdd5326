#include <weft/segmented.h>

#include "algorithms/src/base/kept_plans.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/runs.h"
#include "algorithms/src/runs/segments.h"
#include "algorithms/src/runs/segments_tuning.h"

namespace weft {

using namespace algorithms;

namespace {

Heads heads_of(SegmentsBy by) { return by == SegmentsBy::flags ? Heads::flags : Heads::offsets; }

}  // namespace

SegmentedReduce::SegmentedReduce(const Device& device, const Element& element, const Operator& op, SegmentsBy by,
                                 uint64_t max_count, uint64_t max_segments, const Options& options) {
  const PlanNote note(device, SegmentedReduceParameters{element, op, by, max_count, max_segments, options});
  plan_ = std::make_shared<SegmentsPlan>(device, SegmentsWork{.primitive = "SegmentedReduce",
                                                              .tuned = &tuned_segmented_reduce,
                                                              .tuning = options.tuning,
                                                              .heads = heads_of(by),
                                                              .key = {},
                                                              .equality = {},
                                                              .element = element,
                                                              .op = op,
                                                              .max_count = max_count,
                                                              .max_segments = max_segments,
                                                              .path = options.path,
                                                              .scan = {}});
}

SegmentedReduce::SegmentedReduce(const Device& device, const Element& element, const Operator& op, SegmentsBy by,
                                 uint64_t max_count, uint64_t max_segments)
    : SegmentedReduce(device, element, op, by, max_count, max_segments, Options{}) {}

TilePath SegmentedReduce::path() const { return plan_->path(); }

uint32_t SegmentedReduce::offset_bytes() const { return plan_->offset_bytes(); }

uint64_t SegmentedReduce::temporary_bytes() const { return plan_->temporary_bytes(); }

void SegmentedReduce::record(Recorder& recorder, const Arguments& arguments) const {
  plan_->record(recorder, {.heads = arguments.heads,
                           .values = arguments.input,
                           .keys_output = {},
                           .output = arguments.output,
                           .segments = arguments.segments,
                           .segment_count = arguments.segment_count,
                           .count = arguments.count,
                           .temporary = arguments.temporary});
}

SegmentedScan::SegmentedScan(const Device& device, const Element& element, const Operator& op, SegmentsBy by,
                             uint64_t max_count, uint64_t max_segments, const Options& options) {
  const PlanNote note(device, SegmentedScanParameters{element, op, by, max_count, max_segments, options});
  plan_ = std::make_shared<SegmentsPlan>(device, SegmentsWork{.primitive = "SegmentedScan",
                                                              .tuned = &tuned_segmented_scan,
                                                              .tuning = options.tuning,
                                                              .heads = heads_of(by),
                                                              .key = {},
                                                              .equality = {},
                                                              .element = element,
                                                              .op = op,
                                                              .max_count = max_count,
                                                              .max_segments = max_segments,
                                                              .path = options.path,
                                                              .scan = options.kind,
                                                              .initial = options.initial});
}

SegmentedScan::SegmentedScan(const Device& device, const Element& element, const Operator& op, SegmentsBy by,
                             uint64_t max_count, uint64_t max_segments)
    : SegmentedScan(device, element, op, by, max_count, max_segments, Options{}) {}

TilePath SegmentedScan::path() const { return plan_->path(); }

uint32_t SegmentedScan::offset_bytes() const { return plan_->offset_bytes(); }

uint64_t SegmentedScan::temporary_bytes() const { return plan_->temporary_bytes(); }

void SegmentedScan::record(Recorder& recorder, const Arguments& arguments) const {
  plan_->record(recorder, {.heads = arguments.heads,
                           .values = arguments.input,
                           .keys_output = {},
                           .output = arguments.output,
                           .segments = {},
                           .segment_count = arguments.segment_count,
                           .count = arguments.count,
                           .temporary = arguments.temporary});
}

void segmented_reduce(Stream& stream, const Element& element, const Operator& op, const ElementMemory& input,
                      const View<const uint32_t>& offsets, const ElementMemory& output) {
  const Region &from = elements_in("segmented_reduce", "input", input, element),
               &to = elements_in("segmented_reduce", "output", output, element);
  const uint64_t count = from.bytes / element.bytes(), segments = segments_of("segmented_reduce", offsets);
  const uint64_t max_count = kept_short_count("segmented_reduce", count);
  const uint64_t max_segments = kept_short_count("segmented_reduce", segments);
  const std::string parameters = key_of(op) + "\n" + std::to_string(max_segments);
  const auto plan = stream.cached<SegmentedReduce>(plan_key("segmented_reduce", element, parameters, max_count), [&] {
    return std::make_shared<SegmentedReduce>(stream.device(), element, op, SegmentsBy::offsets, max_count,
                                             max_segments);
  });
  plan->record(stream, {from, offsets.region(), to, {}, segments, count, stream.scratch(plan->temporary_bytes())});
}

void segmented_scan(Stream& stream, const Element& element, const Operator& op, ScanKind kind,
                    const ElementMemory& input, const View<const uint32_t>& offsets, const ElementMemory& output) {
  const Region &from = elements_in("segmented_scan", "input", input, element),
               &to = elements_in("segmented_scan", "output", output, element);
  const uint64_t count = from.bytes / element.bytes(), segments = segments_of("segmented_scan", offsets);
  const uint64_t max_count = kept_short_count("segmented_scan", count);
  const uint64_t max_segments = kept_short_count("segmented_scan", segments);
  const std::string parameters =
      key_of(op) + "\n" + std::to_string(max_segments) + (kind == ScanKind::inclusive ? "\ninclusive" : "\nexclusive");
  const auto plan = stream.cached<SegmentedScan>(plan_key("segmented_scan", element, parameters, max_count), [&] {
    return std::make_shared<SegmentedScan>(stream.device(), element, op, SegmentsBy::offsets, max_count, max_segments,
                                           SegmentedScan::Options{.kind = kind});
  });
  plan->record(stream, {from, offsets.region(), to, segments, count, stream.scratch(plan->temporary_bytes())});
}

}  // namespace weft
