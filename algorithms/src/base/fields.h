#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::algorithms {

/// A scalar type of elements and fields.
struct Scalar {
  std::string_view type;  ///< Its GLSL name.
  uint32_t bytes;
  std::string_view vector;  ///< GLSL name of its vectors, without their size: "vec".
};

/// Finds a scalar type by its GLSL name; null if there is none.
const Scalar* find_scalar(std::string_view type);
/// For messages: all scalar types, and the names of their vectors.
std::string listed_scalars();
std::string listed_vectors();

/// The type of a field: a scalar, or a vector of 2 to 4.
struct FieldType {
  const Scalar* scalar = nullptr;  ///< Null if there is no such type.
  uint32_t components = 1;

  uint32_t bytes() const { return scalar->bytes * components; }
};
FieldType field_type(std::string_view type);

}  // namespace weft::algorithms
