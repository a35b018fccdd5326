#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <weft/api.h>
#include <weft/half.h>

namespace weft {

/// The type of a primitive's elements, in GLSL and in memory: a scalar of 8 to 64 bits, or a struct of such scalars and
/// their vectors. A plain value.
class WEFT_API Element {
 public:
  struct Field {
    /// A scalar type of scalar(), or a vector of 2 to 4: vec3, uvec2, u8vec4, f16vec2, dvec2 ...
    std::string type;
    std::string name;
  };

  /// The scalar type T: a signed or unsigned integer of 8 to 64 bits, Half, float or double.
  template <typename T>
  static Element of() {
    static_assert(is_scalar<T>, "scalars of 8 to 64 bits only; build other elements with Element::structure()");
    return scalar(glsl_scalar<T>());
  }
  /// The scalar with this GLSL name: int8_t, uint8_t, int16_t, uint16_t, int, uint, int64_t, uint64_t, float16_t,
  /// float, double. Throws invalid_argument for any other.
  static Element scalar(const std::string& glsl_type);
  /// A struct with these fields, laid out as in C++ and in GLSL's scalar block layout: each field at the next multiple
  /// of its scalar's size, the whole a multiple of the largest of these. Operators and predicates name fields as
  /// `a.lo`. Padding is never examined; it is written as zero or copied. Throws invalid_argument if there are no
  /// fields, for a type that is neither scalar nor vector, and for a name that GLSL does not allow.
  static Element structure(std::vector<Field> fields);

  /// A member of a C++ struct, for structure<S>().
  struct Member {
    Field field;
    size_t offset;  ///< In bytes.
  };
  template <typename S>
  struct MemberOf : Member {
    /// M is a scalar type of of(), or an array of 2 to 4 of them, T[3] or std::array<T, 3>, which becomes a vector.
    template <typename M>
    MemberOf(const char* name, M S::* member) : Member{{glsl_field<M>(), name}, offset_of(member)} {}
  };
  /// The C++ struct S, given all its members in order:
  ///
  ///   struct Particle { double mass; std::array<float, 3> at; uint16_t kind; };
  ///   Element::structure<Particle>({{"mass", &Particle::mass}, {"at", &Particle::at}, {"kind", &Particle::kind}})
  ///
  /// Throws invalid_argument as above, and if S has another layout than the struct of these fields.
  template <typename S>
  static Element structure(std::initializer_list<MemberOf<S>> members) {
    static_assert(std::is_trivially_copyable_v<S> && std::is_standard_layout_v<S>,
                  "elements are moved as bytes: a struct without copy constructors, virtual functions, and members in "
                  "more than one class");
    const std::vector<Member> listed(members.begin(), members.end());
    std::vector<Field> fields;
    for (const Member& member : listed) fields.push_back(member.field);
    Element element = structure(std::move(fields));
    element.check_members(listed, sizeof(S));
    return element;
  }

  /// Size in memory, including the padding of a struct.
  uint32_t bytes() const { return bytes_; }
  /// Bytes of the units in which kernels load and store it: 4, or 2 or 1 if its size is not a multiple of 4 or 2.
  uint32_t unit_bytes() const { return bytes_ % 4 == 0 ? 4 : bytes_ % 2 == 0 ? 2 : 1; }
  /// Number of 32-bit words in a kernel's registers: one for each unit.
  uint32_t words() const { return bytes_ / unit_bytes(); }
  /// Alignment of an element's address, in bytes: a scalar's size; for structs the larger of their largest scalar's and
  /// a unit's.
  uint32_t align() const { return align_; }
  bool is_struct() const { return !fields_.empty(); }
  /// GLSL type of a scalar; empty for a struct.
  const std::string& glsl_type() const { return glsl_type_; }
  const std::vector<Field>& fields() const { return fields_; }
  /// Offset of a field from the start of the struct, in bytes.
  uint32_t offset(size_t field) const { return offsets_[field]; }
  /// For messages and cache keys: "uint" or "struct{float lo; float hi;}".
  std::string name() const;

 private:
  template <typename T>
  static constexpr bool is_scalar =
      (std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8) || std::is_same_v<T, Half>;

  template <typename T>
  static std::string glsl_scalar() {
    if constexpr (std::is_same_v<T, Half>) {
      return "float16_t";
    } else if constexpr (std::is_floating_point_v<T>) {
      return sizeof(T) == 8 ? "double" : "float";
    } else if constexpr (sizeof(T) == 4) {
      return std::is_signed_v<T> ? "int" : "uint";
    } else {
      return (std::is_signed_v<T> ? "int" : "uint") + std::to_string(8 * sizeof(T)) + "_t";
    }
  }

  template <typename M>
  static std::string glsl_field() {
    if constexpr (is_scalar<M>) {
      return glsl_scalar<M>();
    } else {
      using T = std::remove_cvref_t<decltype(std::declval<M&>()[0])>;
      static_assert(
          is_scalar<T> && sizeof(M) % sizeof(T) == 0 && sizeof(M) / sizeof(T) >= 2 && sizeof(M) / sizeof(T) <= 4,
          "members are scalars of 8 to 64 bits, or arrays of 2 to 4 of them");
      return vector_of(glsl_scalar<T>(), sizeof(M) / sizeof(T));
    }
  }
  static std::string vector_of(const std::string& scalar, size_t components);

  template <typename S, typename M>
  static size_t offset_of(M S::* member) {
    const S object{};
    return size_t(reinterpret_cast<const std::byte*>(&(object.*member)) - reinterpret_cast<const std::byte*>(&object));
  }

  void append(const Field& field);
  void check_members(std::span<const Member> members, size_t bytes) const;

  std::string glsl_type_;
  std::vector<Field> fields_;
  std::vector<uint32_t> offsets_;
  uint32_t bytes_ = 0, align_ = 1;
};

}  // namespace weft
