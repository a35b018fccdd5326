#include "support/scalar_type.h"

#include <array>
#include <bit>
#include <charconv>
#include <cstring>

#include <weft/half.h>

namespace weft::support {
namespace {

struct Names {
  ScalarType type;
  char kind;  // NumPy's letter
  uint32_t bytes;
  const char* name;
  const char* glsl;
};

constexpr std::array<Names, 11> all_types{{
    {ScalarType::u8, 'u', 1, "u8", "uint8_t"},
    {ScalarType::i8, 'i', 1, "i8", "int8_t"},
    {ScalarType::u16, 'u', 2, "u16", "uint16_t"},
    {ScalarType::i16, 'i', 2, "i16", "int16_t"},
    {ScalarType::f16, 'f', 2, "f16", "float16_t"},
    {ScalarType::u32, 'u', 4, "u32", "uint"},
    {ScalarType::i32, 'i', 4, "i32", "int"},
    {ScalarType::f32, 'f', 4, "f32", "float"},
    {ScalarType::u64, 'u', 8, "u64", "uint64_t"},
    {ScalarType::i64, 'i', 8, "i64", "int64_t"},
    {ScalarType::f64, 'f', 8, "f64", "double"},
}};

const Names& names(ScalarType type) { return all_types[static_cast<size_t>(type)]; }

uint64_t low_bits(uint64_t bits, uint32_t width_bytes) {
  return width_bytes == 8 ? bits : bits & ((uint64_t(1) << (width_bytes * 8)) - 1);
}

// A value to parse, and the name of its option or argument.
struct Wanted {
  ScalarType type;
  std::string_view text;
  const std::string& what;

  [[noreturn]] void fail(const char* why) const {
    throw Error(ErrorCode::invalid_argument, what + ": '" + std::string(text) + "' is not a " + to_string(type) + why);
  }
};

template <typename T>
T parse_float(const Wanted& wanted) {
  std::string_view digits = wanted.text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) wanted.fail(": it is out of range");
  if (error != std::errc{} || end != digits.data() + digits.size() || digits.empty()) wanted.fail("");
  return value;
}

uint64_t parse_integer(const Wanted& wanted) {
  const ScalarType type = wanted.type;
  std::string_view digits = wanted.text;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  if (hexadecimal) digits.remove_prefix(2);
  uint64_t magnitude = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, hexadecimal ? 16 : 10);
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size()) wanted.fail("");
  const uint32_t width = bytes(type) * 8;
  const uint64_t most = is_signed_integer(type) ? (uint64_t(1) << (width - 1)) - (negative ? 0 : 1)
                        : negative              ? 0
                                                : ~uint64_t(0) >> (64 - width);
  if (error == std::errc::result_out_of_range || magnitude > most) {
    wanted.fail(negative && !is_signed_integer(type) ? ": it is negative" : ": it is out of range");
  }
  return low_bits(negative ? 0 - magnitude : magnitude, bytes(type));
}

template <typename T>
std::string shortest(T value) {
  char text[64];
  const auto result = std::to_chars(text, text + sizeof text, value);
  return {text, result.ptr};
}

template <typename T>
T load(const void* data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

}  // namespace

std::string to_string(ScalarType type) { return names(type).name; }
uint32_t bytes(ScalarType type) { return names(type).bytes; }
bool is_float(ScalarType type) { return names(type).kind == 'f'; }
bool is_signed_integer(ScalarType type) { return names(type).kind == 'i'; }

std::string numpy_name(ScalarType type) {
  const Names& n = names(type);
  return std::string(n.bytes == 1 ? "|" : "<") + n.kind + char('0' + n.bytes);
}

std::optional<ScalarType> find_scalar_type(std::string_view name) {
  for (const Names& n : all_types) {
    if (name == n.name || name == n.glsl) return n.type;
  }
  // NumPy's names count bytes. Its u8 and i8 clash with Weft's, which were found above and are 8 bits wide.
  if (name.size() == 2) {
    for (const Names& n : all_types) {
      if (name[0] == n.kind && name[1] == char('0' + n.bytes)) return n.type;
    }
  }
  return std::nullopt;
}

ScalarType parse_scalar_type(std::string_view name) {
  if (const auto type = find_scalar_type(name)) return *type;
  std::string message = "'" + std::string(name) + "' is not a type; the types are";
  for (const Names& n : all_types) message += std::string(n.type == ScalarType::u8 ? " " : ", ") + n.name;
  throw Error(ErrorCode::invalid_argument, message);
}

Element element_of(ScalarType type) { return Element::scalar(names(type).glsl); }

uint64_t parse_value(ScalarType type, std::string_view text, const std::string& what) {
  const Wanted wanted{type, text, what};
  switch (type) {
    case ScalarType::f16:
      return Half(parse_float<float>(wanted)).bits();
    case ScalarType::f32:
      return std::bit_cast<uint32_t>(parse_float<float>(wanted));
    case ScalarType::f64:
      return std::bit_cast<uint64_t>(parse_float<double>(wanted));
    default:
      return parse_integer(wanted);
  }
}

std::string format_value(ScalarType type, const void* data) {
  switch (type) {
    case ScalarType::u8:
      return std::to_string(load<uint8_t>(data));
    case ScalarType::i8:
      return std::to_string(load<int8_t>(data));
    case ScalarType::u16:
      return std::to_string(load<uint16_t>(data));
    case ScalarType::i16:
      return std::to_string(load<int16_t>(data));
    case ScalarType::f16:
      return shortest(float(load<Half>(data)));
    case ScalarType::u32:
      return std::to_string(load<uint32_t>(data));
    case ScalarType::i32:
      return std::to_string(load<int32_t>(data));
    case ScalarType::f32:
      return shortest(load<float>(data));
    case ScalarType::u64:
      return std::to_string(load<uint64_t>(data));
    case ScalarType::i64:
      return std::to_string(load<int64_t>(data));
    case ScalarType::f64:
      return shortest(load<double>(data));
  }
  return {};
}

}  // namespace weft::support
