#pragma once

#include <optional>
#include <string>

#include <weft/compact.h>
#include <weft/comparison.h>
#include <weft/element.h>
#include <weft/equality.h>
#include <weft/lbvh.h>
#include <weft/operator.h>
#include <weft/scan.h>
#include <weft/sort.h>
#include <weft/tile_path.h>
#include <weft/transform.h>

#include "algorithms/src/plans/fields.h"

// The fields of values that several plans have. Names of parts follow the name of the whole: "op.combine".
namespace weft::algorithms {

/// Visits an optional value if it is set, or if there are texts for it.
template <typename F, typename T>
void optional_field(F& f, const std::string& name, std::optional<T>& value) {
  if (!f.has(name, value.has_value())) return;
  if (!value) value = T{};
  f(name, *value);
}
template <typename F, typename T>
void optional_fields(F& f, const std::string& name, std::optional<T>& value) {
  if (!f.has(name, value.has_value())) return;
  if (!value) value = T{};
  fields(f, name, *value);
}

/// Weft's own operators by their names; of others the parts.
template <typename F>
void fields(F& f, const std::string& name, Operator& op) {
  enum class Kind { sum, min, max, custom };
  Kind kind = Kind::custom;
  const auto is = [&](const Operator& own) { return op.identity.empty() && op.combine == own.combine; };
  if (is(Operator::sum())) kind = Kind::sum;
  if (is(Operator::min())) kind = Kind::min;
  if (is(Operator::max())) kind = Kind::max;
  f.choice(name, kind, {{"sum", Kind::sum}, {"min", Kind::min}, {"max", Kind::max}, {"custom", Kind::custom}});
  if (kind == Kind::custom) {
    f(name + ".name", op.name);
    f(name + ".combine", op.combine);
    f(name + ".identity", op.identity);
    f(name + ".commutative", op.commutative);
    f(name + ".nothing", op.nothing);
  } else if constexpr (F::reads) {
    op = kind == Kind::sum ? Operator::sum() : kind == Kind::min ? Operator::min() : Operator::max();
  }
}

template <typename F>
void fields(F& f, const std::string& name, Transform& transform) {
  f(name + ".from", transform.from);
  f(name + ".expression", transform.expression);
  f(name + ".two", transform.two);
}

template <typename F>
void fields(F& f, const std::string& name, Selection& selection) {
  f(name + ".where", selection.where);
  f(name + ".of_runs", selection.of_runs);
  f(name + ".same", selection.equality.same);
  f(name + ".flag_bits", selection.flag_bits);
}

template <typename F>
void fields(F& f, const std::string& name, BvhPrimitive& primitive) {
  f(name + ".element", primitive.element);
  f(name + ".low", primitive.low);
  f(name + ".high", primitive.high);
  f(name + ".center", primitive.center);
  f(name + ".vertex_bytes", primitive.vertex_bytes);
}

template <typename F>
void fields(F& f, const std::string& name, TilePath& path) {
  f.choice(name, path,
           {{"automatic", TilePath::automatic},
            {"look_back", TilePath::look_back},
            {"reduce_then_scan", TilePath::reduce_then_scan}});
}

template <typename F>
void fields(F& f, const std::string& name, ScanKind& kind) {
  f.choice(name, kind, {{"exclusive", ScanKind::exclusive}, {"inclusive", ScanKind::inclusive}});
}

}  // namespace weft::algorithms
