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
    f("max_count", max_count);
    f("channels", options.channels);
    f("counted", options.counted);
    f("weighted", options.weighted);
    f("wide", options.wide);
    optional_field(f, "tuning", options.tuning);
  }
  Histogram make(const Device& device) const { return Histogram(device, element, bins, max_count, options); }
};

}  // namespace weft::algorithms
