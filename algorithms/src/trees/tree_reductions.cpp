#include <weft/tree_reduce.h>

#include "core/src/runtime/messages.h"

namespace weft {
namespace {

constexpr const char *infinity = "uintBitsToFloat(0x7F800000u)", *minus_infinity = "uintBitsToFloat(0xFF800000u)";

std::string vector_of(const char* reduction, uint32_t dimensions) {
  if (dimensions == 2 || dimensions == 3) return "vec" + std::to_string(dimensions);
  core::invalid("TreeReduction::" + std::string(reduction),
                "boxes have 2 or 3 dimensions, not " + std::to_string(dimensions) + ".");
}

}  // namespace

TreeReduction TreeReduction::boxes(uint32_t dimensions) {
  const std::string vector = vector_of("boxes", dimensions);
  return {Element::structure({{vector, "low"}, {vector, "high"}}),
          Operator::custom("box", "T(weft_lower(a.low, b.low), weft_upper(a.high, b.high))",
                           "T(" + vector + "(" + infinity + "), " + vector + "(" + minus_infinity + "))", true),
          {}};
}

TreeReduction TreeReduction::surface_areas(uint32_t dimensions) {
  const std::string vector = vector_of("surface_areas", dimensions);
  const std::string area = "weft_surface_area(x.low, x.high)";
  TreeReduction reduction{
      Element::structure({{vector, "low"}, {vector, "high"}, {"float", "area"}}),
      Operator::custom("surface area", "T(weft_lower(a.low, b.low), weft_upper(a.high, b.high), a.area + b.area)",
                       "T(" + vector + "(" + infinity + "), " + vector + "(" + minus_infinity + "), 0.0)", true),
      {}};
  reduction.options.node = "T(x.low, x.high, x.area + " + area + ")";
  reduction.options.transform = Transform::of(boxes(dimensions).element, "T(x.low, x.high, " + area + ")");
  return reduction;
}

TreeReduction TreeReduction::counts() {
  TreeReduction reduction{Element::of<uint32_t>(), Operator::sum(), {}};
  reduction.options.leaf = "1u";
  return reduction;
}

}  // namespace weft
