#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weft/element.h>

#include "algorithms/src/base/fields.h"

namespace weft::algorithms {

/// What shaders/thread/element.glsl takes of a struct: its fields, and GLSL that takes an element `e` apart into words,
/// one for each unit of its memory, and puts one together from `words`. Bytes that are no field's are zero in words.
class StructMacros {
 public:
  explicit StructMacros(const Element& element);

  std::string fields, to_words, from_words;

 private:
  std::string add_field(const Element::Field& field, uint32_t offset);
  std::string add_scalar(const Scalar& scalar, const std::string& expression, uint32_t offset);
  std::string add_pair(const Scalar& scalar, const std::string& expression, uint32_t first);

  uint32_t unit_bytes_;
  std::vector<std::string> words_;  // What each is made of, empty where it is no field's.
};

}  // namespace weft::algorithms
