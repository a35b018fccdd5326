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
};

}  // namespace weft::algorithms
