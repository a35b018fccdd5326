#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace weft {

/// What a primitive's elements are, in GLSL and in memory: a scalar, or a struct of scalars and vectors made of 32-bit
/// words. A plain value.
class Element {
 public:
  struct Field {
    std::string type;  ///< int, uint, float, or a vector of them (ivec2 ... vec4).
    std::string name;
  };

  /// The scalar that T is: 32- and 64-bit signed and unsigned integers, float, double.
  template <typename T>
  static Element of() {
    static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                  "32- and 64-bit scalars only; build other elements with Element::structure()");
    constexpr bool wide = sizeof(T) == 8;
    if constexpr (std::is_floating_point_v<T>) {
      return scalar(wide ? "double" : "float");
    } else if constexpr (std::is_signed_v<T>) {
      return scalar(wide ? "int64_t" : "int");
    } else {
      return scalar(wide ? "uint64_t" : "uint");
    }
  }
  /// The scalar of that GLSL name: int, uint, float, int64_t, uint64_t, double. Throws invalid_argument for another.
  static Element scalar(const std::string& glsl_type);
  /// A struct with these fields, packed without padding. Operators and predicates name its fields as `a.lo`.
  /// Throws invalid_argument for no fields, a type that is not made of 32-bit words, or a name that GLSL cannot have.
  static Element structure(std::vector<Field> fields);

  uint32_t bytes() const { return bytes_; }
  uint32_t words() const { return bytes_ / 4; }
  /// Bytes that an address of an element is a multiple of: 8 for 64-bit scalars, 4 for everything else.
  uint32_t align() const { return fields_.empty() ? bytes_ : 4; }
  bool is_struct() const { return !fields_.empty(); }
  /// GLSL type of a scalar; empty for a struct.
  const std::string& glsl_type() const { return glsl_type_; }
  const std::vector<Field>& fields() const { return fields_; }
  /// For messages and cache keys: "uint" or "struct{float lo; float hi;}".
  std::string name() const;

 private:
  std::string glsl_type_;
  std::vector<Field> fields_;
  uint32_t bytes_ = 0;
};

}  // namespace weft
