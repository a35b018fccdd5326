#include "python/src/push_constants.h"

#include <cstring>
#include <optional>
#include <string>

#include <weft/half.h>

#include "python/src/array.h"
#include "python/src/bytes_of.h"

namespace weft::python {
namespace {

[[noreturn]] void refuse(const Reflection::Member& member, const std::string& what) {
  throw nb::type_error(("'" + member.name + "' takes " + what + ".").c_str());
}

template <typename T>
void write_number(std::byte* to, const Reflection::Member& member, nb::handle value) {
  T number{};
  if (!nb::try_cast<T>(value, number)) refuse(member, "a number that fits into its type, " + member.type);
  std::memcpy(to, &number, sizeof(T));
}

/// Writes one number of a GLSL type. Returns whether there is such a type.
bool write_scalar(std::byte* to, const std::string& type, const Reflection::Member& member, nb::handle value) {
  if (type == "uint") return write_number<uint32_t>(to, member, value), true;
  if (type == "int") return write_number<int32_t>(to, member, value), true;
  if (type == "float") return write_number<float>(to, member, value), true;
  if (type == "double") return write_number<double>(to, member, value), true;
  if (type == "uint64_t") return write_number<uint64_t>(to, member, value), true;
  if (type == "int64_t") return write_number<int64_t>(to, member, value), true;
  if (type == "uint16_t") return write_number<uint16_t>(to, member, value), true;
  if (type == "int16_t") return write_number<int16_t>(to, member, value), true;
  if (type == "uint8_t") return write_number<uint8_t>(to, member, value), true;
  if (type == "int8_t") return write_number<int8_t>(to, member, value), true;
  if (type == "float16_t") {
    float number = 0;
    write_number<float>(reinterpret_cast<std::byte*>(&number), member, value);
    const uint16_t bits = Half(number).bits();
    std::memcpy(to, &bits, sizeof bits);
    return true;
  }
  return false;
}

struct VectorType {
  std::string scalar;
  size_t components;
};

/// "uvec3" has three of "uint".
std::optional<VectorType> vector_type(const std::string& type) {
  static constexpr std::pair<const char*, const char*> prefixes[] = {
      {"vec", "float"},       {"uvec", "uint"},      {"ivec", "int"},        {"dvec", "double"},
      {"u64vec", "uint64_t"}, {"i64vec", "int64_t"}, {"u16vec", "uint16_t"}, {"i16vec", "int16_t"},
      {"u8vec", "uint8_t"},   {"i8vec", "int8_t"},   {"f16vec", "float16_t"}};
  for (const auto& [prefix, scalar] : prefixes) {
    const std::string start = prefix;
    if (type.size() == start.size() + 1 && type.starts_with(start) && type.back() >= '2' && type.back() <= '4') {
      return VectorType{scalar, size_t(type.back() - '0')};
    }
  }
  return std::nullopt;
}

}  // namespace

void require_writable(const std::string& name, const Array& array) {
  if (array.memory()->is_writable()) return;
  throw nb::value_error(
      ("'" + name + "' is read-only, and the kernel may write to it: declare its buffer readonly, or copy it.")
          .c_str());
}

void write_member(std::vector<std::byte>& block, const Reflection::Member& member, nb::handle value,
                  bool is_read_only) {
  std::byte* const to = block.data() + member.offset;
  if (member.type == "buffer reference") {
    if (!nb::isinstance<Array>(value)) refuse(member, "a weft.Array, whose address it becomes");
    if (!is_read_only) require_writable(member.name, *nb::inst_ptr<Array>(value));
    const uint64_t address = nb::inst_ptr<Array>(value)->region().address();
    if (member.pointee_align != 0 && address % member.pointee_align != 0) {
      refuse(member, "an array at a multiple of " + std::to_string(member.pointee_align) + " bytes");
    }
    std::memcpy(to, &address, sizeof address);
    return;
  }
  if (write_scalar(to, member.type, member, value)) return;
  if (const auto vector = vector_type(member.type)) {
    if (!PySequence_Check(value.ptr()) || nb::len(value) != vector->components) {
      refuse(member, std::to_string(vector->components) + " numbers, for a " + member.type);
    }
    const size_t bytes = member.bytes / vector->components;
    for (size_t i = 0; i < vector->components; ++i) {
      write_scalar(to + i * bytes, vector->scalar, member, nb::object(value[i]));
    }
    return;
  }
  const BytesOf given(value, BytesOf::Access::read);
  if (given.bytes().size() != member.bytes) refuse(member, std::to_string(member.bytes) + " bytes");
  std::memcpy(to, given.bytes().data(), member.bytes);
}

}  // namespace weft::python
