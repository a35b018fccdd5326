#pragma once

#include <unordered_map>
#include <vector>

#include "backends/translate/types.h"

namespace weft::translate {

/// What is known of the places that a pointer may point to, by where it comes from: its type says nothing of it.
struct PointerOrigin {
  MatrixLayout matrix;            ///< Of a matrix, or of matrices within an array.
  uint64_t component_stride = 0;  ///< Of a column of a row-major matrix; 0 for vectors that lie in one piece.
  bool is_volatile = false;       ///< On one way at least.
  bool is_told = true;            ///< Not from memory or a number, which say nothing of matrices either.
  bool agrees = true;             ///< The layout is the same on all ways.
  Id variable = 0;                ///< The one buffer that it points to; 0 where there may be several.
};

/// The origins of all pointers of `functions`, worked out over calls, phis and selections.
std::unordered_map<Id, PointerOrigin> pointer_origins(const Module& module, const Types& types,
                                                      const Constants& constants, const std::vector<Id>& functions);

}  // namespace weft::translate
