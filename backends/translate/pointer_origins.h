#pragma once

#include <unordered_map>
#include <vector>

#include "backends/translate/types.h"

namespace weft::translate {

/// What the sources of a pointer tell about the objects that it may point to, beyond its type.
struct PointerOrigin {
  MatrixLayout matrix;            ///< Of a matrix, or of matrices within an array.
  uint64_t component_stride = 0;  ///< Of a column of a row-major matrix; 0 for contiguous vectors.
  bool is_volatile = false;       ///< From at least one source.
  bool is_known = true;  ///< False if a source is memory or an integer, which do not tell the layout of matrices.
  bool agrees = true;    ///< Whether all sources have the same layout.
  Id variable = 0;       ///< The only buffer that it points to; 0 if there may be several.
};

/// The origins of all pointers in `functions`, followed through calls, phis and selections.
std::unordered_map<Id, PointerOrigin> pointer_origins(const Module& module, const Types& types,
                                                      const Constants& constants, const std::vector<Id>& functions);

}  // namespace weft::translate
