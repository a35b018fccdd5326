#pragma once

#include <cstdint>
#include <string>

#include <weft/count.h>
#include <weft/element.h>
#include <weft/find_pairs.h>

#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/trees/vertices.h"

namespace weft::algorithms {

/// What FindPairs writes.
struct FoundPairs {
  Region pairs;
  CountOutput found;

  uint64_t capacity() const { return pairs.bytes / sizeof(IndexPair); }
};

/// Primitives, their vertices if they are triangles by index, and their boxes in order bits.
struct PairPrimitives {
  Region primitives, vertices, boxes;
};

/// Which pairs of primitives are wanted, beside those whose boxes overlap.
struct PairFilter {
  BvhPrimitive primitive;
  std::string where;  ///< GLSL expression; empty: all.

  /// Defines the macros of shaders/kernels/pairs/found.glsl.
  void define(KernelMaker& maker) const {
    if (where.empty()) return;
    define_vertices(maker, primitive.vertex_bytes);
    const Element& element = primitive.element;
    maker.key(element).expression("WEFT_PAIR_WHERE", "condition", where, "of two " + element.name());
  }
};

/// Bytes of an index among the candidates, or the pairs, of up to `max_count` boxes.
uint32_t candidate_index_bytes(uint64_t max_count);

}  // namespace weft::algorithms
