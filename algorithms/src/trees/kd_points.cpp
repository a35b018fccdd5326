#include "algorithms/src/trees/kd_points.h"

#include <weft/kd_tree.h>

#include "algorithms/src/base/checks.h"
#include "core/src/runtime/messages.h"

namespace weft::algorithms {
namespace {

void check_dimensions(const char* primitive, uint32_t dimensions) {
  if (dimensions == 2 || dimensions == 3) return;
  core::invalid(primitive, "points have 2 or 3 dimensions, not " + std::to_string(dimensions) + ".");
}

}  // namespace

Element kd_point(const char* primitive, uint32_t dimensions) {
  check_dimensions(primitive, dimensions);
  return Element::structure({{"vec" + std::to_string(dimensions), "at"}});
}

KernelMaker KdPoints::maker(const Device& device, const char* primitive, const Tiling& tiling) const {
  KernelMaker maker = KernelMaker(device, primitive).tiling(tiling).key(element);
  maker.define("WEFT_SCALAR", "uint").define("T_WORDS", "1");
  maker.define("WEFT_DIMENSIONS", std::to_string(dimensions));
  return maker.expression("WEFT_POINT", "point", point, "of " + element.name());
}

void check_kd_plan(const char* primitive, const KdPoints& points, uint64_t max_count, const char* things) {
  check_dimensions(primitive, points.dimensions);
  check_addressable(primitive, points.element, max_count);
  if (max_count <= KdTree::max_points) return;
  core::invalid(primitive, "a plan for " + core::count_text(max_count) + " " + things + "; it may have up to " +
                               std::to_string(KdTree::max_points) + ".");
}

}  // namespace weft::algorithms
