#pragma once

#include <cstdint>
#include <optional>

#include <weft/element.h>

#include "algorithms/src/sort/radix_shape.h"

namespace weft::algorithms {

/// What a radix sort sorts.
struct RadixInput {
  const char* primitive;         ///< For messages.
  Element key;                   ///< A scalar.
  std::optional<Element> value;  ///< Moves with each key.
  bool descending = false;
  uint64_t max_count = 0;

  RadixElements elements() const { return {key.bytes(), value ? value->bytes() : 0}; }
};

}  // namespace weft::algorithms
