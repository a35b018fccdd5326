#pragma once

#include <weft/map.h>
#include <weft/reduce.h>
#include <weft/scan.h>

#include "algorithms/src/plans/values.h"

// What the plans of scans and reductions are made from.
namespace weft::algorithms {

struct ReduceParameters {
  static constexpr const char* plan = "Reduce";
  Element element{};
  Operator op{};
  uint64_t max_count = 0;
  Reduce::Options options{};

  template <typename F>
  void each(F& f) {
    f("element", element);
    fields(f, "op", op);
    f("max_count", max_count);
    optional_fields(f, "transform", options.transform);
    f("fixed_order", options.fixed_order);
    optional_field(f, "tuning", options.tuning);
  }
  Reduce make(const Device& device) const { return Reduce(device, element, op, max_count, options); }
  template <typename F>
  static Reduce::Arguments arguments(F& f) {
    return {.input = f.region("input"),
            .output = f.region("output"),
            .count = f.count("count"),
            .temporary = f.region("temporary"),
            .second = f.region("second")};
  }
  template <typename F>
  static void properties(F& f) {
    f("temporary_bytes", &Reduce::temporary_bytes);
  }
};

struct ScanParameters {
  static constexpr const char* plan = "Scan";
  Element element{};
  Operator op{};
  uint64_t max_count = 0;
  Scan::Options options{};

  template <typename F>
  void each(F& f) {
    f("element", element);
    fields(f, "op", op);
    f("max_count", max_count);
    fields(f, "kind", options.kind);
    fields(f, "path", options.path);
    f("initial", options.initial);
    optional_fields(f, "transform", options.transform);
    optional_field(f, "tuning", options.tuning);
  }
  Scan make(const Device& device) const { return Scan(device, element, op, max_count, options); }
  template <typename F>
  static Scan::Arguments arguments(F& f) {
    return {.input = f.region("input"),
            .output = f.region("output"),
            .count = f.count("count"),
            .temporary = f.region("temporary"),
            .second = f.region("second")};
  }
  template <typename F>
  static void properties(F& f) {
    f("temporary_bytes", &Scan::temporary_bytes);
  }
};

/// Of a transform, or without inputs of an expression alone.
struct MapParameters {
  static constexpr const char* plan = "Map";
  Element element{};
  std::optional<Transform> transform{};
  std::string expression{};
  uint64_t max_count = 0;
  Map::Options options{};

  template <typename F>
  void each(F& f) {
    f("element", element);
    optional_fields(f, "transform", transform);
    f("expression", expression);
    f("max_count", max_count);
    optional_field(f, "tuning", options.tuning);
  }
  Map make(const Device& device) const {
    return transform ? Map(device, element, *transform, max_count, options)
                     : Map(device, element, expression, max_count, options);
  }
  template <typename F>
  static Map::Arguments arguments(F& f) {
    return {.input = f.region("input"),
            .output = f.region("output"),
            .count = f.count("count"),
            .second = f.region("second")};
  }
};

}  // namespace weft::algorithms
