#pragma once

#include <weft/atomic_by_key.h>
#include <weft/by_key.h>
#include <weft/histogram.h>
#include <weft/run_length.h>
#include <weft/segmented.h>

#include "algorithms/src/plans/values.h"

// What the plans of runs, segments and histograms are made from.
namespace weft::algorithms {

template <typename F>
void fields(F& f, const std::string& name, SegmentsBy& by) {
  f.choice(name, by, {{"flags", SegmentsBy::flags}, {"offsets", SegmentsBy::offsets}});
}

struct RunLengthEncodeParameters {
  static constexpr const char* plan = "RunLengthEncode";
  Element element{};
  uint64_t max_count = 0;
  RunLengthEncode::Options options{};

  template <typename F>
  void each(F& f) {
    f("element", element);
    f("max_count", max_count);
    f("same", options.equality.same);
    fields(f, "path", options.path);
    optional_field(f, "tuning", options.tuning);
  }
  RunLengthEncode make(const Device& device) const { return RunLengthEncode(device, element, max_count, options); }
  template <typename F>
  static RunLengthEncode::Arguments arguments(F& f) {
    return {.input = f.region("input"),
            .output = f.region("output"),
            .lengths = f.region("lengths"),
            .runs = f.count_output("runs"),
            .count = f.count("count"),
            .temporary = f.region("temporary")};
  }
  template <typename F>
  static void properties(F& f) {
    f("length_bytes", &RunLengthEncode::length_bytes);
    f("temporary_bytes", &RunLengthEncode::temporary_bytes);
  }
};

struct RunLengthDecodeParameters {
  static constexpr const char* plan = "RunLengthDecode";
  Element element{};
  uint64_t max_runs = 0;
  uint64_t max_count = 0;
  RunLengthDecode::Options options{};

  template <typename F>
  void each(F& f) {
    f("element", element);
    f("max_runs", max_runs);
    f("max_count", max_count);
    fields(f, "path", options.path);
    optional_field(f, "tuning", options.tuning);
  }
  RunLengthDecode make(const Device& device) const {
    return RunLengthDecode(device, element, max_runs, max_count, options);
  }
  template <typename F>
  static RunLengthDecode::Arguments arguments(F& f) {
    return {.values = f.region("values"),
            .lengths = f.region("lengths"),
            .output = f.region("output"),
            .decoded = f.count_output("decoded"),
            .runs = f.count("runs"),
            .temporary = f.region("temporary")};
  }
  template <typename F>
  static void properties(F& f) {
    f("length_bytes", &RunLengthDecode::length_bytes);
    f("temporary_bytes", &RunLengthDecode::temporary_bytes);
  }
};

struct ReduceByKeyParameters {
  static constexpr const char* plan = "ReduceByKey";
  Element key{};
  Element value{};
  Operator op{};
  uint64_t max_count = 0;
  ReduceByKey::Options options{};

  template <typename F>
  void each(F& f) {
    f("key", key);
    f("value", value);
    fields(f, "op", op);
    f("max_count", max_count);
    f("same", options.equality.same);
    fields(f, "path", options.path);
    optional_field(f, "tuning", options.tuning);
  }
  ReduceByKey make(const Device& device) const { return ReduceByKey(device, key, value, op, max_count, options); }
  template <typename F>
  static ReduceByKey::Arguments arguments(F& f) {
    return {.keys = f.region("keys"),
            .values = f.region("values"),
            .unique_keys = f.region("unique_keys"),
            .output = f.region("output"),
            .runs = f.count_output("runs"),
            .count = f.count("count"),
            .temporary = f.region("temporary")};
  }
  template <typename F>
  static void properties(F& f) {
    f("temporary_bytes", &ReduceByKey::temporary_bytes);
  }
};

struct ScanByKeyParameters {
  static constexpr const char* plan = "ScanByKey";
  Element key{};
  Element value{};
  Operator op{};
  uint64_t max_count = 0;
  ScanByKey::Options options{};

  template <typename F>
  void each(F& f) {
    f("key", key);
    f("value", value);
    fields(f, "op", op);
    f("max_count", max_count);
    fields(f, "kind", options.kind);
    f("same", options.equality.same);
    fields(f, "path", options.path);
    f("initial", options.initial);
    optional_field(f, "tuning", options.tuning);
  }
  ScanByKey make(const Device& device) const { return ScanByKey(device, key, value, op, max_count, options); }
  template <typename F>
  static ScanByKey::Arguments arguments(F& f) {
    return {.keys = f.region("keys"),
            .input = f.region("input"),
            .output = f.region("output"),
            .count = f.count("count"),
            .temporary = f.region("temporary")};
  }
  template <typename F>
  static void properties(F& f) {
    f("temporary_bytes", &ScanByKey::temporary_bytes);
  }
};

struct AtomicReduceByKeyParameters {
  static constexpr const char* plan = "AtomicReduceByKey";
  Element element{};
  Operator op{};
  uint64_t max_count = 0;
  AtomicReduceByKey::Options options{};

  template <typename F>
  void each(F& f) {
    f("element", element);
    fields(f, "op", op);
    f("max_count", max_count);
    f("scattered_keys", options.scattered_keys);
    optional_field(f, "tuning", options.tuning);
  }
  AtomicReduceByKey make(const Device& device) const {
    return AtomicReduceByKey(device, element, op, max_count, options);
  }
  template <typename F>
  static AtomicReduceByKey::Arguments arguments(F& f) {
    return {
        .keys = f.region("keys"), .values = f.region("values"), .table = f.region("table"), .count = f.count("count")};
  }
};

struct SegmentedReduceParameters {
  static constexpr const char* plan = "SegmentedReduce";
  Element element{};
  Operator op{};
  SegmentsBy by = SegmentsBy::flags;
  uint64_t max_count = 0;
  uint64_t max_segments = 0;
  SegmentedReduce::Options options{};

  template <typename F>
  void each(F& f) {
    f("element", element);
    fields(f, "op", op);
    fields(f, "by", by);
    f("max_count", max_count);
    f("max_segments", max_segments);
    fields(f, "path", options.path);
    optional_field(f, "tuning", options.tuning);
  }
  SegmentedReduce make(const Device& device) const {
    return SegmentedReduce(device, element, op, by, max_count, max_segments, options);
  }
  template <typename F>
  static SegmentedReduce::Arguments arguments(F& f) {
    return {.input = f.region("input"),
            .heads = f.region("heads"),
            .output = f.region("output"),
            .segments = f.count_output("segments"),
            .segment_count = f.count("segment_count"),
            .count = f.count("count"),
            .temporary = f.region("temporary")};
  }
  template <typename F>
  static void properties(F& f) {
    f("offset_bytes", &SegmentedReduce::offset_bytes);
    f("temporary_bytes", &SegmentedReduce::temporary_bytes);
  }
};

struct SegmentedScanParameters {
  static constexpr const char* plan = "SegmentedScan";
  Element element{};
  Operator op{};
  SegmentsBy by = SegmentsBy::flags;
  uint64_t max_count = 0;
  uint64_t max_segments = 0;
  SegmentedScan::Options options{};

  template <typename F>
  void each(F& f) {
    f("element", element);
    fields(f, "op", op);
    fields(f, "by", by);
    f("max_count", max_count);
    f("max_segments", max_segments);
    fields(f, "kind", options.kind);
    fields(f, "path", options.path);
    f("initial", options.initial);
    optional_field(f, "tuning", options.tuning);
  }
  SegmentedScan make(const Device& device) const {
    return SegmentedScan(device, element, op, by, max_count, max_segments, options);
  }
  template <typename F>
  static SegmentedScan::Arguments arguments(F& f) {
    return {.input = f.region("input"),
            .heads = f.region("heads"),
            .output = f.region("output"),
            .segment_count = f.count("segment_count"),
            .count = f.count("count"),
            .temporary = f.region("temporary")};
  }
  template <typename F>
  static void properties(F& f) {
    f("offset_bytes", &SegmentedScan::offset_bytes);
    f("temporary_bytes", &SegmentedScan::temporary_bytes);
  }
};

struct HistogramParameters {
  static constexpr const char* plan = "Histogram";
  Element element{};
  Bins bins{};
  uint64_t max_count = 0;
  Histogram::Options options{};

  template <typename F>
  void each(F& f) {
    f("element", element);
    f("bins", bins.count);
    f("by_edges", bins.by_edges);
    f("lower", bins.lower);
    f("upper", bins.upper);
    f("closed", bins.closed);
    f("max_count", max_count);
    f("channels", options.channels);
    f("counted", options.counted);
    f("weighted", options.weighted);
    f("wide", options.wide);
    optional_field(f, "tuning", options.tuning);
  }
  Histogram make(const Device& device) const { return Histogram(device, element, bins, max_count, options); }
  template <typename F>
  static Histogram::Arguments arguments(F& f) {
    return {.input = f.region("input"),
            .edges = f.region("edges"),
            .weights = f.region("weights"),
            .output = f.region("output"),
            .count = f.count("count")};
  }
};

}  // namespace weft::algorithms
