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

namespace weft::support {

/// The number types of files, push constants and specialization constants, named u32, f64 and so on.
enum class ScalarType { u8, i8, u16, i16, f16, u32, i32, f32, u64, i64, f64 };

std::string to_string(ScalarType type);
uint32_t bytes(ScalarType type);
bool is_float(ScalarType type);
bool is_signed_integer(ScalarType type);
/// NumPy's name in a file's header, e.g. "<u4".
std::string numpy_name(ScalarType type);

/// Finds a type by the names "u32", NumPy's "u4" or GLSL's "uint"; returns nothing for other names.
std::optional<ScalarType> find_scalar_type(std::string_view name);
/// Like find_scalar_type(), but throws invalid_argument, listing the names.
ScalarType parse_scalar_type(std::string_view name);

/// Whether T is a floating-point type, including Half.
template <typename T>
inline constexpr bool is_float_type = std::is_floating_point_v<T> || std::is_same_v<T, Half>;

/// Whether every case of weft bench takes elements of this type: those of 32 and 64 bits.
inline bool is_element_type(ScalarType type) { return bytes(type) >= 4; }
Element element_of(ScalarType type);

/// Parses `text` as a value of `type`, and returns its bits in the low bytes. Integers may be decimal or 0x
/// hexadecimal. Throws invalid_argument if it is not such a number or is out of range; the message starts with `what`.
uint64_t parse_value(ScalarType type, std::string_view text, const std::string& what);
/// Formats the value at `data` as text that parses to the same bits.
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

/// Like visit_element_type(), but also takes integers of 8 and 16 bits, as histograms do.
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

/// Like visit_element_type(), but takes all types.
template <typename Function>
decltype(auto) visit_number_type(ScalarType type, Function&& function) {
  if (type == ScalarType::f16) return function(std::type_identity<Half>{});
  return visit_sample_type(type, std::forward<Function>(function));
}

}  // namespace weft::support
