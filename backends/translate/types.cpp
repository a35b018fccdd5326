#include "backends/translate/types.h"

#include <bit>
#include <charconv>
#include <cmath>

#include <weft/error.h>

#include "backends/translate/half.h"

namespace weft::translate {

const std::string& Types::name(Id type) {
  const auto found = cpp_names_.find(type);
  if (found != cpp_names_.end()) return found->second;
  std::string made = make_name(module_.type(type));
  return cpp_names_[type] = std::move(made);
}

std::string Types::make_name(const Type& type) {
  switch (type.kind) {
    case Kind::void_type:
      return "void";
    case Kind::boolean:
      return "bool";
    case Kind::integer:
      return "uint" + std::to_string(type.width) + "_t";
    case Kind::floating:
      return type.width == 16 ? "weft_half" : type.width == 32 ? "float" : "double";
    case Kind::vector:
      return "weft_vec<" + name(type.element) + ", " + std::to_string(type.count) + ">";
    case Kind::matrix: {
      const Type& column = module_.type(type.element);
      return "weft_mat<" + name(column.element) + ", " + std::to_string(type.count) + ", " +
             std::to_string(column.count) + ">";
    }
    case Kind::array:
      return "weft_array<" + name(type.element) + ", " + std::to_string(array_length(type.id)) + ">";
    case Kind::structure:
      return declare(type);
    case Kind::pointer:
      return is_byte_addressed(type.storage) ? "weft_byte*" : name(type.element) + "*";
    default:
      refuse(type);
  }
}

std::string Types::declare(const Type& structure) {
  std::string members;
  for (uint32_t m = 0; m < structure.members.size(); ++m) {
    members += "  " + name(structure.members[m]) + " " + member_name(structure.id, m) + ";\n";
  }
  const auto wish = module_.names.find(structure.id);
  const std::string fallback = "Struct" + std::to_string(structure.id);
  const std::string made =
      names_.unique(wish == module_.names.end() ? fallback : Names::sanitised(wish->second, fallback));
  declarations_ += "struct " + made + " {\n" + members + "};\n\n";
  return made;
}

void Types::refuse(const Type& type) const {
  throw Error(ErrorCode::unsupported, "'" + module_.name + "' cannot be translated: values of type " +
                                          instruction_name(type.op) + " (" + names_.in_source(type.id) +
                                          ") are not supported.");
}

// Members of a struct may share a name; in C++ they need different ones.
std::string Types::member_name(Id structure, uint32_t index) const {
  const auto wish = [&](uint32_t m) {
    const auto found = module_.member_names.find({structure, m});
    const std::string fallback = "m" + std::to_string(m);
    return found == module_.member_names.end() ? fallback : Names::sanitised(found->second, fallback);
  };
  const std::string mine = wish(index);
  for (uint32_t m = 0; m < module_.type(structure).members.size(); ++m) {
    if (m != index && wish(m) == mine) return mine + "_m" + std::to_string(index);
  }
  return mine;
}

// Vectors, matrices and arrays of the lanes' values.
std::string Types::wide_name(Id type) {
  const Type& t = module_.type(type);
  const std::string of = t.kind == Kind::vector || t.kind == Kind::matrix || t.kind == Kind::array
                             ? wide_name(t.element)
                             : "weft_wide<" + name(type) + ">";
  switch (t.kind) {
    case Kind::vector:
      return "weft_vec<" + of + ", " + std::to_string(t.count) + ">";
    case Kind::matrix: {
      const Type& column = module_.type(t.element);
      return "weft_mat<" + wide_name(column.element) + ", " + std::to_string(t.count) + ", " +
             std::to_string(column.count) + ">";
    }
    case Kind::array:
      return "weft_array<" + of + ", " + std::to_string(array_length(type)) + ">";
    default:
      return of;
  }
}

uint64_t Types::array_length(Id array) const {
  return constants_.integer(module_.type(array).length, "the length of an array");
}

bool Types::is_byte_addressed(spv::StorageClass storage) {
  switch (storage) {
    case spv::StorageClassFunction:
    case spv::StorageClassPrivate:
    case spv::StorageClassInput:
      return false;
    default:
      return true;
  }
}

std::string Types::literal(const Constant& constant) {
  const Type& type = module_.type(constant.type);
  if (type.kind == Kind::pointer) return "(" + name(type.id) + ")nullptr";
  if (constant.parts.empty() &&
      (type.kind == Kind::boolean || type.kind == Kind::integer || type.kind == Kind::floating))
    return scalar_literal(type, constant.bits);
  if (constant.parts.empty()) return name(type.id) + "{}";  // all zero
  std::string parts;
  for (const Constant& part : constant.parts) parts += (parts.empty() ? "" : ", ") + literal(part);
  // Vectors, matrices and arrays contain a C++ array, which has its own braces.
  return type.kind == Kind::structure ? name(type.id) + "{" + parts + "}" : name(type.id) + "{{" + parts + "}}";
}

std::string Types::scalar_literal(const Type& type, uint64_t bits) const {
  if (type.kind == Kind::boolean) return bits ? "true" : "false";
  if (type.kind == Kind::integer) {
    const bool negative = type.is_signed && ((bits >> (type.width - 1)) & 1);
    if (negative && type.width >= 32) {
      const uint64_t magnitude = (0 - bits) & (type.width == 64 ? ~uint64_t{0} : (uint64_t{1} << type.width) - 1);
      // uint64_t and unsigned long long may be different types.
      return type.width == 64 ? "uint64_t(0ull - " + std::to_string(magnitude) + "ull)"
                              : "(0u - " + std::to_string(magnitude) + "u)";
    }
    if (type.width == 32) return std::to_string(bits) + "u";
    if (type.width == 64) return "uint64_t(" + std::to_string(bits) + "ull)";
    return "uint" + std::to_string(type.width) + "_t(" + std::to_string(bits) + ")";
  }
  if (type.width == 16) {
    char hex[32];
    std::snprintf(hex, sizeof(hex), "weft_half{0x%04x}", static_cast<unsigned>(bits));
    return hex;
  }
  const double value =
      type.width == 64 ? std::bit_cast<double>(bits) : std::bit_cast<float>(static_cast<uint32_t>(bits));
  if (!std::isfinite(value)) {
    char hex[64];
    std::snprintf(hex, sizeof(hex), type.width == 64 ? "weft_bits<double>(0x%llxull)" : "weft_bits<float>(0x%llxu)",
                  static_cast<unsigned long long>(bits));
    return hex;
  }
  char text[64];
  const auto end = type.width == 64 ? std::to_chars(text, text + sizeof(text), value)
                                    : std::to_chars(text, text + sizeof(text), static_cast<float>(value));
  std::string result(text, end.ptr);
  if (result.find_first_of(".e") == std::string::npos) result += ".0";
  if (type.width == 32) result += "f";
  return result[0] == '-' ? "(" + result + ")" : result;
}

}  // namespace weft::translate
