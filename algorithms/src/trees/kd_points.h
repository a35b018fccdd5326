#pragma once

#include <cstdint>
#include <string>

#include <weft/element.h>

#include "algorithms/src/base/kernel_maker.h"

namespace weft::algorithms {

/// Elements with a point each, and the GLSL expression of that point.
struct KdPoints {
  uint32_t dimensions = 0;
  Element element;
  std::string point;

  /// Bytes of a KdNode, and the alignment of the first.
  uint32_t node_bytes() const { return dimensions == 2 ? 12 : 16; }
  uint32_t node_align() const { return dimensions == 2 ? 4 : 16; }
  /// A maker of kernels that include shaders/kernels/trees/kd_points.glsl, an invocation for each point.
  KernelMaker maker(const Device& device, const char* primitive, const Tiling& tiling) const;
};

/// A point alone, as `at`. Throws invalid_argument unless dimensions are 2 or 3; `primitive` names the caller.
Element kd_point(const char* primitive, uint32_t dimensions);

/// Throws invalid_argument unless a plan may have these dimensions and that many `things`.
void check_kd_plan(const char* primitive, const KdPoints& points, uint64_t max_count, const char* things);

}  // namespace weft::algorithms
