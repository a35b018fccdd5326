#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weft/element.h>

#include "algorithms/src/base/fields.h"

namespace weft::algorithms {

/// The macros of a struct for shaders/thread/element_type.glsl: its fields, GLSL that converts an element `e` to words,
/// one for each unit of memory, and GLSL that builds one from `words`. Padding is zero in words.
class StructMacros {
 public:
  explicit StructMacros(const Element& element);

  std::string fields, to_words, from_words;

 private:
  std::string add_field(const Element::Field& field, uint32_t offset);
  std::string add_scalar(const Scalar& scalar, const std::string& expression, uint32_t offset);
  std::string add_pair(const Scalar& scalar, const std::string& expression, uint32_t first);

  uint32_t unit_bytes_;
  std::vector<std::string> words_;  // The expression of each word; empty for padding.
};

}  // namespace weft::algorithms
