#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <weft/element.h>
#include <weft/error.h>
#include <weft/half.h>

namespace weft::tools {

/// The number types that files, push constants and specialization constants are written in. Names are u32, f64 and so
/// on.
enum class ScalarType { u8, i8, u16, i16, f16, u32, i32, f32, u64, i64, f64 };

std::string to_string(ScalarType type);
uint32_t bytes(ScalarType type);
bool is_float(ScalarType type);
bool is_signed_integer(ScalarType type);
/// What NumPy calls it in a file's header, e.g. "<u4".
std::string numpy_name(ScalarType type);

/// Takes "u32", NumPy's "u4" and GLSL's "uint"; nothing for other names.
std::optional<ScalarType> find_scalar_type(std::string_view name);
/// As find_scalar_type(); throws invalid_argument with the names there are.
ScalarType parse_scalar_type(std::string_view name);

/// Whether T is a floating-point type, Half among them.
template <typename T>
inline constexpr bool is_float_type = std::is_floating_point_v<T> || std::is_same_v<T, Half>;

/// Whether every case of weft bench takes elements of this type: 32 and 64 bits wide.
inline bool is_element_type(ScalarType type) { return bytes(type) >= 4; }
Element element_of(ScalarType type);

/// The bits of `text` as a value of `type`, in the low bytes. Integers may be decimal or 0x hexadecimal. Throws
/// invalid_argument, starting with `what`, when it is no such number or out of range.
uint64_t parse_value(ScalarType type, std::string_view text, const std::string& what);
/// The value at `data` as text that reads back to the same bits.
std::string format_value(ScalarType type, const void* data);

/// Calls `function(std::type_identity<T>{})` with the C++ type of an element type. Throws invalid_argument for 8 and 16
/// bits.
template <typename Function>
decltype(auto) visit_element_type(ScalarType type, Function&& function) {
  switch (type) {
    case ScalarType::u32:
      return function(std::type_identity<uint32_t>{});
    case ScalarType::i32:
      return function(std::type_identity<int32_t>{});
    case ScalarType::f32:
      return function(std::type_identity<float>{});
    case ScalarType::u64:
      return function(std::type_identity<uint64_t>{});
    case ScalarType::i64:
      return function(std::type_identity<int64_t>{});
    case ScalarType::f64:
      return function(std::type_identity<double>{});
    default:
      break;
  }
  throw Error(ErrorCode::invalid_argument, "elements of type " + to_string(type) +
                                               " are not supported; the types are u32, i32, f32, u64, i64 and f64");
}

/// As visit_element_type(), with integers of 8 and 16 bits, which histograms take.
template <typename Function>
decltype(auto) visit_sample_type(ScalarType type, Function&& function) {
  switch (type) {
    case ScalarType::u8:
      return function(std::type_identity<uint8_t>{});
    case ScalarType::i8:
      return function(std::type_identity<int8_t>{});
    case ScalarType::u16:
      return function(std::type_identity<uint16_t>{});
    case ScalarType::i16:
      return function(std::type_identity<int16_t>{});
    default:
      return visit_element_type(type, std::forward<Function>(function));
  }
}

/// As visit_element_type(), with all types there are.
template <typename Function>
decltype(auto) visit_number_type(ScalarType type, Function&& function) {
  if (type == ScalarType::f16) return function(std::type_identity<Half>{});
  return visit_sample_type(type, std::forward<Function>(function));
}

}  // namespace weft::tools
