#include <charconv>
#include <cstring>

#include "support/text.h"
#include "tools/verbs/shaders/exec_arguments.h"

namespace weft::tools {

using namespace support;

namespace {

// The parts of a member's GLSL type. A buffer reference has no scalar, nor has a type without values of its own.
struct Shape {
  std::optional<ScalarType> scalar;
  uint64_t count = 1;  // scalars in all vectors, columns and array elements
};

uint32_t leading_number(std::string_view& text) {
  uint32_t value = 1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{}) text.remove_prefix(size_t(end - text.data()));
  return value;
}

Shape shape_of(const std::string& type) {
  Shape shape;
  const size_t bracket = type.find('[');
  for (size_t at = bracket; at != std::string::npos; at = type.find('[', at + 1)) {
    std::string_view extent = std::string_view(type).substr(at + 1);
    shape.count *= leading_number(extent);
  }
  const std::string element = type.substr(0, bracket);
  shape.scalar = element == "bool" ? ScalarType::u32 : find_scalar_type(element);
  if (shape.scalar) return shape;
  static const std::pair<const char*, ScalarType> vectors[] = {
      {"f16", ScalarType::f16}, {"i16", ScalarType::i16}, {"u16", ScalarType::u16}, {"i64", ScalarType::i64},
      {"u64", ScalarType::u64}, {"i8", ScalarType::i8},   {"u8", ScalarType::u8},   {"d", ScalarType::f64},
      {"i", ScalarType::i32},   {"u", ScalarType::u32},   {"b", ScalarType::u32},   {"", ScalarType::f32}};
  for (const auto& [prefix, scalar] : vectors) {
    std::string_view rest = element;
    if (!rest.starts_with(prefix)) continue;
    rest.remove_prefix(std::strlen(prefix));
    if (!rest.starts_with("vec") && !rest.starts_with("mat")) continue;
    const bool matrix = rest.starts_with("mat");
    rest.remove_prefix(3);
    const uint32_t extent = leading_number(rest);
    shape.scalar = scalar;
    shape.count *= extent;
    if (matrix && rest.starts_with('x')) rest.remove_prefix(1);
    if (matrix) shape.count *= rest.empty() ? extent : leading_number(rest);
    return shape;
  }
  return shape;
}

bool suits(const PushValue& value, const std::string& member_type) {
  const auto scalar = shape_of(member_type).scalar;
  if (!value.type) {
    return !scalar || member_type.starts_with("uvec2") || (bytes(*scalar) == 8 && !is_float(*scalar));
  }
  if (!scalar) return bytes(*value.type) == 8;
  return bytes(*scalar) == bytes(*value.type) && is_float(*scalar) == is_float(*value.type);
}

std::string shown(const PushValue& value) { return (value.type ? to_string(*value.type) : "ref") + ":" + value.text; }

std::string shown(const Reflection::Member& member) {
  return "'" + member.name + "' (" + member.type + ", " + std::to_string(member.bytes) + " bytes at offset " +
         std::to_string(member.offset) + ")";
}

// Whether the member has bytes between its scalars.
bool has_padding(const Reflection::Member& member) {
  const Shape shape = shape_of(member.type);
  return shape.scalar && shape.count * bytes(*shape.scalar) != member.bytes;
}

}  // namespace

std::vector<std::byte> pack_push(const std::vector<PushValue>& values, const Reflection& reflection,
                                 const std::function<uint64_t(const std::string&)>& address) {
  std::vector<std::byte> block(reflection.push_constant_bytes);
  const auto& members = reflection.push_constants;
  size_t at = 0;        // index of the member that takes the next value
  uint32_t filled = 0;  // bytes of that member that have values
  const auto fail = [](const std::string& message) { throw Error(ErrorCode::invalid_argument, "--push " + message); };
  for (const PushValue& value : values) {
    if (at == members.size()) fail("has more values than the shader takes: " + shown(value) + " is left over");
    const Reflection::Member& member = members[at];
    if (has_padding(member)) {
      fail("cannot fill member " + shown(member) + ", which has padding inside; give the whole block as a file");
    }
    const uint32_t width = value.type ? bytes(*value.type) : 8;
    if (!suits(value, member.type) || filled + width > member.bytes) {
      fail("value " + shown(value) + " does not fit member " + shown(member));
    }
    const uint64_t bits = value.type ? parse_value(*value.type, value.text, "--push") : address(value.text);
    std::memcpy(block.data() + member.offset + filled, &bits, width);
    filled += width;
    if (filled == member.bytes) {
      ++at;
      filled = 0;
    }
  }
  if (at < members.size())
    fail(std::string("leaves ") + (filled ? "part of " : "") + "member " + shown(members[at]) + " without a value");
  return block;
}

std::string push_example(const Reflection& reflection) {
  std::string text;
  for (const Reflection::Member& member : reflection.push_constants) {
    const Shape shape = shape_of(member.type);
    if (has_padding(member) || shape.count > 16) return "FILE";
    text += (text.empty() ? "" : ",") + (shape.scalar ? to_string(*shape.scalar) : "ref") + ":" + member.name;
    for (uint64_t i = 1; i < shape.count; ++i) text += "," + member.name;
  }
  return text;
}

}  // namespace weft::tools
