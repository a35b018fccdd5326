#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <weft/half.h>

namespace weft {

/// What a primitive's elements are, in GLSL and in memory: a scalar of 8 to 64 bits, or a struct of scalars and vectors
/// made of 32-bit words. A plain value.
class Element {
 public:
  struct Field {
    std::string type;  ///< int, uint, float, or a vector of them (ivec2 ... vec4).
    std::string name;
  };

  /// The scalar that T is: 8- to 64-bit signed and unsigned integers, Half, float, double.
  template <typename T>
  static Element of() {
    static_assert((std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8) || std::is_same_v<T, Half>,
                  "scalars of 8 to 64 bits only; build other elements with Element::structure()");
    if constexpr (std::is_same_v<T, Half>) {
      return scalar("float16_t");
    } else if constexpr (std::is_floating_point_v<T>) {
      return scalar(sizeof(T) == 8 ? "double" : "float");
    } else if constexpr (sizeof(T) == 4) {
      return scalar(std::is_signed_v<T> ? "int" : "uint");
    } else {
      return scalar((std::is_signed_v<T> ? "int" : "uint") + std::to_string(8 * sizeof(T)) + "_t");
    }
  }
  /// The scalar of that GLSL name: int8_t, uint8_t, int16_t, uint16_t, int, uint, int64_t, uint64_t, float16_t, float,
  /// double. Throws invalid_argument for another.
  static Element scalar(const std::string& glsl_type);
  /// A struct with these fields, packed without padding. Operators and predicates name its fields as `a.lo`.
  /// Throws invalid_argument for no fields, a type that is not made of 32-bit words, or a name that GLSL cannot have.
  static Element structure(std::vector<Field> fields);

  uint32_t bytes() const { return bytes_; }
  /// 32-bit words that it takes in a kernel's registers; one for a scalar of 8 or 16 bits.
  uint32_t words() const { return (bytes_ + 3) / 4; }
  /// Bytes that an address of an element is a multiple of: a scalar's size, and 4 for structs.
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
