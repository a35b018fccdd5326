#pragma once

#include <cstdint>
#include <string>

#include "backends/translate/types.h"

namespace weft::translate {

/// Something in memory, or a variable: what a pointer points to.
struct Place {
  bool bytes = false;      ///< A byte address; otherwise a C++ lvalue.
  std::string text;        ///< The lvalue; the address without `offset`.
  uint64_t offset = 0;     ///< Bytes to add to the address.
  uint64_t alignment = 1;  ///< Of the address, the offset included.
  Id type = 0;             ///< What lies there.
  Layout layout = Layout::decorated;
  MatrixLayout matrix;            ///< Of a matrix, or of matrices within an array.
  uint64_t component_stride = 0;  ///< Of a column of a row-major matrix; 0 for vectors that lie in one piece.
  bool is_volatile = false;       ///< Each access happens, and is seen by others.
  bool is_shared = false;         ///< Workgroup memory.
  bool is_argument = false;       ///< The push-constant block.
  Id binding = 0;                 ///< The variable that the address comes from, for the length of its buffer.
  std::string binding_index;      ///< Its number among the entry's bindings.
  uint32_t site = 0;              ///< Where the access stands.
  bool passes_at = false;         ///< Within a function that is told where the access stands.

  std::string address() const { return offset == 0 ? text : text + " + " + std::to_string(offset); }
};

}  // namespace weft::translate
