#pragma once

#include <weft/compact.h>
#include <weft/enqueue.h>
#include <weft/indirect_groups.h>
#include <weft/partition.h>
#include <weft/split.h>
#include <weft/top_k.h>

#include "algorithms/src/plans/values.h"

// What the plans of selections are made from.
namespace weft::algorithms {

struct CompactParameters {
  static constexpr const char* plan = "Compact";
  Element element{};
  Selection selection{};
  uint64_t max_count = 0;
  Compact::Options options{};

  template <typename F>
  void each(F& f) {
    f("element", element);
    fields(f, "selection", selection);
    f("max_count", max_count);
    fields(f, "path", options.path);
    optional_field(f, "tuning", options.tuning);
    f("index_bits", options.index_bits);
  }
  Compact make(const Device& device) const { return Compact(device, element, selection, max_count, options); }
  template <typename F>
  static Compact::Arguments arguments(F& f) {
    return {.input = f.region("input"),
            .flags = f.region("flags"),
            .output = f.region("output"),
            .selected = f.count_output("selected"),
            .count = f.count("count"),
            .temporary = f.region("temporary")};
  }
  template <typename F>
  static void properties(F& f) {
    f("temporary_bytes", &Compact::temporary_bytes);
  }
};

struct PartitionParameters {
  static constexpr const char* plan = "Partition";
  Element element{};
  Selection selection{};
  uint64_t max_count = 0;
  Partition::Options options{};

  template <typename F>
  void each(F& f) {
    f("element", element);
    fields(f, "selection", selection);
    f("max_count", max_count);
    f.choice("others", options.others,
             {{"apart", Others::apart}, {"behind", Others::behind}, {"reversed", Others::reversed}});
    fields(f, "path", options.path);
    optional_field(f, "tuning", options.tuning);
  }
  Partition make(const Device& device) const { return Partition(device, element, selection, max_count, options); }
  template <typename F>
  static Partition::Arguments arguments(F& f) {
    return {.input = f.region("input"),
            .flags = f.region("flags"),
            .output = f.region("output"),
            .others = f.region("others"),
            .selected = f.count_output("selected"),
            .count = f.count("count"),
            .temporary = f.region("temporary")};
  }
  template <typename F>
  static void properties(F& f) {
    f("temporary_bytes", &Partition::temporary_bytes);
  }
};

struct EnqueueParameters {
  static constexpr const char* plan = "Enqueue";
  Element element{};
  Selection selection{};
  uint64_t max_count = 0;
  EnqueueVariant variant = EnqueueVariant::subgroup;

  template <typename F>
  void each(F& f) {
    f("element", element);
    fields(f, "selection", selection);
    f("max_count", max_count);
    f.choice("variant", variant,
             {{"naive", EnqueueVariant::naive},
              {"subgroup", EnqueueVariant::subgroup},
              {"multi_item", EnqueueVariant::multi_item},
              {"complement", EnqueueVariant::complement}});
  }
  Enqueue make(const Device& device) const { return Enqueue(device, element, selection, max_count, variant); }
  template <typename F>
  static Enqueue::Arguments arguments(F& f) {
    return {.input = f.region("input"),
            .output = f.region("output"),
            .others = f.region("others"),
            .queued = f.count_output("queued"),
            .count = f.count("count")};
  }
};

struct IndirectGroupsParameters {
  static constexpr const char* plan = "IndirectGroups";
  uint64_t max_count = 0;

  template <typename F>
  void each(F& f) {
    f("max_count", max_count);
  }
  IndirectGroups make(const Device& device) const { return IndirectGroups(device, max_count); }
  template <typename F>
  static IndirectGroups::Arguments arguments(F& f) {
    return {.groups = View<uint32_t>(f.region("groups")),
            .group_size = f.number("group_size", uint32_t{0}),
            .count = f.count("count")};
  }
};

struct SplitParameters {
  static constexpr const char* plan = "Split";
  Element element{};
  Sides sides{};
  uint64_t max_count = 0;
  Split::Options options{};

  template <typename F>
  void each(F& f) {
    f("element", element);
    f("first", sides.first);
    f("second", sides.second);
    f("three", sides.three);
    f("max_count", max_count);
    fields(f, "path", options.path);
    optional_field(f, "tuning", options.tuning);
  }
  Split make(const Device& device) const { return Split(device, element, sides, max_count, options); }
  template <typename F>
  static Split::Arguments arguments(F& f) {
    return {.input = f.region("input"),
            .first = f.region("first"),
            .second = f.region("second"),
            .third = f.region("third"),
            .counts = f.count_output("counts"),
            .count = f.count("count"),
            .temporary = f.region("temporary")};
  }
  template <typename F>
  static void properties(F& f) {
    f("temporary_bytes", &Split::temporary_bytes);
  }
};

struct TopKParameters {
  static constexpr const char* plan = "TopK";
  Element key{};
  uint64_t max_count = 0;
  uint64_t max_k = 0;
  TopK::Options options{};

  template <typename F>
  void each(F& f) {
    f("key", key);
    f("max_count", max_count);
    f("max_k", max_k);
    f("smallest", options.smallest);
    f("indices", options.indices);
    optional_field(f, "tuning", options.tuning);
  }
  TopK make(const Device& device) const { return TopK(device, key, max_count, max_k, options); }
  template <typename F>
  static TopK::Arguments arguments(F& f) {
    return {.input = f.region("input"),
            .output = f.region("output"),
            .indices = f.region("indices"),
            .found = f.count_output("found"),
            .k = f.number("k", uint64_t{0}),
            .count = f.count("count"),
            .temporary = f.region("temporary")};
  }
  template <typename F>
  static void properties(F& f) {
    f("index_bytes", &TopK::index_bytes);
    f("temporary_bytes", &TopK::temporary_bytes);
  }
};

}  // namespace weft::algorithms
