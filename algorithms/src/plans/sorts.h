#pragma once

#include <weft/merge.h>
#include <weft/merge_sort.h>
#include <weft/segmented_sort.h>
#include <weft/sort.h>
#include <weft/tile_sort.h>

#include "algorithms/src/plans/values.h"

// What the plans of sorts and merges are made from.
namespace weft::algorithms {

struct SortParameters {
  static constexpr const char* plan = "Sort";
  Element key{};
  std::optional<Element> value{};
  uint64_t max_count = 0;
  Sort::Options options{};

  template <typename F>
  void each(F& f) {
    f("key", key);
    optional_field(f, "value", value);
    f("max_count", max_count);
    f("descending", options.order.descending);
    f("begin_bit", options.order.begin_bit);
    f("end_bit", options.order.end_bit);
    fields(f, "path", options.path);
    optional_field(f, "tuning", options.tuning);
  }
  Sort make(const Device& device) const {
    return value ? Sort(device, key, *value, max_count, options) : Sort(device, key, max_count, options);
  }
  template <typename F>
  static Sort::Arguments arguments(F& f) {
    return {.keys = f.region("keys"),
            .values = f.region("values"),
            .keys_out = f.region("keys_out"),
            .values_out = f.region("values_out"),
            .count = f.count("count"),
            .temporary = f.region("temporary")};
  }
  template <typename F>
  static void properties(F& f) {
    f("temporary_bytes", &Sort::temporary_bytes);
  }
};

struct MergeSortParameters {
  static constexpr const char* plan = "MergeSort";
  Element element{};
  Comparison comparison{};
  uint64_t max_count = 0;
  MergeSort::Options options{};

  template <typename F>
  void each(F& f) {
    f("element", element);
    f("before", comparison.before);
    f("max_count", max_count);
    optional_field(f, "values", options.values);
    optional_field(f, "tuning", options.tuning);
  }
  MergeSort make(const Device& device) const { return MergeSort(device, element, comparison, max_count, options); }
  template <typename F>
  static MergeSort::Arguments arguments(F& f) {
    return {.input = f.region("input"),
            .input_values = f.region("input_values"),
            .output = f.region("output"),
            .output_values = f.region("output_values"),
            .count = f.count("count"),
            .temporary = f.region("temporary")};
  }
  template <typename F>
  static void properties(F& f) {
    f("temporary_bytes", &MergeSort::temporary_bytes);
  }
};

struct SegmentedSortParameters {
  static constexpr const char* plan = "SegmentedSort";
  Element element{};
  Comparison comparison{};
  uint64_t max_count = 0;
  uint64_t max_segments = 0;
  SegmentedSort::Options options{};

  template <typename F>
  void each(F& f) {
    f("element", element);
    f("before", comparison.before);
    f("max_count", max_count);
    f("max_segments", max_segments);
    optional_field(f, "values", options.values);
    optional_field(f, "tuning", options.tuning);
  }
  SegmentedSort make(const Device& device) const {
    return SegmentedSort(device, element, comparison, max_count, max_segments, options);
  }
  template <typename F>
  static SegmentedSort::Arguments arguments(F& f) {
    return {.input = f.region("input"),
            .input_values = f.region("input_values"),
            .offsets = f.region("offsets"),
            .output = f.region("output"),
            .output_values = f.region("output_values"),
            .segment_count = f.count("segment_count"),
            .count = f.count("count"),
            .temporary = f.region("temporary")};
  }
  template <typename F>
  static void properties(F& f) {
    f("offset_bytes", &SegmentedSort::offset_bytes);
    f("temporary_bytes", &SegmentedSort::temporary_bytes);
  }
};

struct TileSortParameters {
  static constexpr const char* plan = "TileSort";
  Element element{};
  Comparison comparison{};
  uint32_t length = 0;
  uint64_t max_count = 0;
  TileSort::Options options{};

  template <typename F>
  void each(F& f) {
    f("element", element);
    f("before", comparison.before);
    f("length", length);
    f("max_count", max_count);
    f.choice("network", options.network,
             {{"bitonic", SortingNetwork::bitonic}, {"odd_even", SortingNetwork::odd_even}});
    optional_field(f, "values", options.values);
    optional_field(f, "tuning", options.tuning);
  }
  TileSort make(const Device& device) const {
    return TileSort(device, element, comparison, length, max_count, options);
  }
  template <typename F>
  static TileSort::Arguments arguments(F& f) {
    return {.input = f.region("input"),
            .input_values = f.region("input_values"),
            .output = f.region("output"),
            .output_values = f.region("output_values"),
            .count = f.count("count")};
  }
};

struct MergeParameters {
  static constexpr const char* plan = "Merge";
  Element element{};
  Comparison comparison{};
  uint64_t max_count = 0;
  Merge::Options options{};

  template <typename F>
  void each(F& f) {
    f("element", element);
    f("before", comparison.before);
    f("max_count", max_count);
    optional_field(f, "values", options.values);
    optional_field(f, "tuning", options.tuning);
  }
  Merge make(const Device& device) const { return Merge(device, element, comparison, max_count, options); }
  template <typename F>
  static Merge::Arguments arguments(F& f) {
    return {.first = {f.region("first"), f.region("first_values"), f.count("first_count")},
            .second = {f.region("second"), f.region("second_values"), f.count("second_count")},
            .output = f.region("output"),
            .output_values = f.region("output_values"),
            .temporary = f.region("temporary")};
  }
  template <typename F>
  static void properties(F& f) {
    f("temporary_bytes", &Merge::temporary_bytes);
  }
};

}  // namespace weft::algorithms
