#pragma once

#include <cstdint>
#include <string>

#include "backends/translate/types.h"

namespace weft::translate {

/// The object that a pointer points to: a location in memory or a variable.
struct Lvalue {
  bool bytes = false;      ///< Whether it has a byte address. Otherwise it is a C++ lvalue.
  std::string text;        ///< The C++ lvalue, or the address without `offset`.
  uint64_t offset = 0;     ///< Bytes to add to the address.
  uint64_t alignment = 1;  ///< Of the address including `offset`, in bytes.
  Id type = 0;             ///< Of the object.
  Layout layout = Layout::decorated;
  MatrixLayout matrix;            ///< Of a matrix, or of matrices within an array.
  uint64_t component_stride = 0;  ///< Of a column of a row-major matrix; 0 for contiguous vectors.
  bool is_volatile = false;       ///< Each access takes place and is visible to others.
  bool is_shared = false;         ///< Workgroup memory.
  bool is_argument = false;       ///< The push-constant block.
  Id binding = 0;                 ///< The variable whose buffer it is in, for the buffer's length.
  std::string binding_index;      ///< Its number among the entry's bindings.
  uint32_t site = 0;              ///< Source location of the access.
  bool is_wide = false;           ///< With values of lanes in vectors: each lane has an address, or a value to store.
  bool passes_at = false;         ///< Whether the enclosing function receives the location as an argument.

  std::string address() const { return offset == 0 ? text : text + " + " + std::to_string(offset); }
};

}  // namespace weft::translate
