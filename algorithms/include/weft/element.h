#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <weft/half.h>

namespace weft {

/// What a primitive's elements are, in GLSL and in memory: a scalar of 8 to 64 bits, or a struct of such scalars and
/// their vectors. A plain value.
class Element {
 public:
  struct Field {
    /// A scalar as scalar() takes it, or a vector of 2 to 4: vec3, uvec2, u8vec4, f16vec2, dvec2 ...
    std::string type;
    std::string name;
  };

  /// The scalar that T is: 8- to 64-bit signed and unsigned integers, Half, float, double.
  template <typename T>
  static Element of() {
    static_assert(is_scalar<T>, "scalars of 8 to 64 bits only; build other elements with Element::structure()");
    return scalar(glsl_scalar<T>());
  }
  /// The scalar of that GLSL name: int8_t, uint8_t, int16_t, uint16_t, int, uint, int64_t, uint64_t, float16_t, float,
  /// double. Throws invalid_argument for another.
  static Element scalar(const std::string& glsl_type);
  /// A struct with these fields, which lie in memory as those of a C++ struct do, and as GLSL's scalar block layout has
  /// them: each at the next multiple of its scalars' size, the whole a multiple of the largest of these. Operators and
  /// predicates name its fields as `a.lo`; what lies between fields is never looked at, and written as zero or copied.
  /// Throws invalid_argument for no fields, a type that is neither scalar nor vector, or a name that GLSL cannot have.
  static Element structure(std::vector<Field> fields);

  /// A member of a C++ struct, as structure<S>() takes it.
  struct Member {
    Field field;
    size_t offset;  ///< In bytes.
  };
  template <typename S>
  struct MemberOf : Member {
    /// M is a scalar as of() takes it, or an array of 2 to 4 of them, T[3] or std::array<T, 3>: a vector.
    template <typename M>
    MemberOf(const char* name, M S::*member) : Member{{glsl_field<M>(), name}, offset_of(member)} {}
  };
  /// The C++ struct S, by all its members in their order:
  ///
  ///   struct Particle { double mass; std::array<float, 3> at; uint16_t kind; };
  ///   Element::structure<Particle>({{"mass", &Particle::mass}, {"at", &Particle::at}, {"kind", &Particle::kind}})
  ///
  /// Throws invalid_argument as above, and where S lies otherwise in memory than the struct of these fields.
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

  /// In memory, with what a struct leaves free between and behind its fields.
  uint32_t bytes() const { return bytes_; }
  /// What kernels read and write it in: words of 4 bytes, or 2 or 1 where its size is no multiple of that.
  uint32_t unit_bytes() const { return bytes_ % 4 == 0 ? 4 : bytes_ % 2 == 0 ? 2 : 1; }
  /// 32-bit words that it takes in a kernel's registers: one for each unit.
  uint32_t words() const { return bytes_ / unit_bytes(); }
  /// Bytes that an address of an element is a multiple of: a scalar's size, for structs that of their largest scalar
  /// and of a unit.
  uint32_t align() const { return align_; }
  bool is_struct() const { return !fields_.empty(); }
  /// GLSL type of a scalar; empty for a struct.
  const std::string& glsl_type() const { return glsl_type_; }
  const std::vector<Field>& fields() const { return fields_; }
  /// Of that field, in bytes from the struct's start.
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
  static size_t offset_of(M S::*member) {
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
