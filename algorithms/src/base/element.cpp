#include <weft/element.h>

#include <algorithm>
#include <string_view>

#include <weft/error.h>

#include "algorithms/src/base/fields.h"

namespace weft {
namespace {

using namespace algorithms;

// Keywords and reserved words of GLSL 4.60 that look like plain names. is_type_name() matches families of types.
constexpr std::string_view keywords[] = {"active",
                                         "asm",
                                         "atomic_uint",
                                         "attribute",
                                         "bool",
                                         "break",
                                         "buffer",
                                         "case",
                                         "cast",
                                         "centroid",
                                         "class",
                                         "coherent",
                                         "common",
                                         "const",
                                         "continue",
                                         "default",
                                         "discard",
                                         "do",
                                         "double",
                                         "else",
                                         "enum",
                                         "extern",
                                         "external",
                                         "false",
                                         "filter",
                                         "fixed",
                                         "flat",
                                         "float",
                                         "for",
                                         "goto",
                                         "half",
                                         "highp",
                                         "if",
                                         "in",
                                         "inline",
                                         "inout",
                                         "input",
                                         "int",
                                         "interface",
                                         "invariant",
                                         "layout",
                                         "long",
                                         "lowp",
                                         "mediump",
                                         "namespace",
                                         "noinline",
                                         "noperspective",
                                         "out",
                                         "output",
                                         "partition",
                                         "patch",
                                         "precise",
                                         "precision",
                                         "public",
                                         "readonly",
                                         "resource",
                                         "restrict",
                                         "return",
                                         "sample",
                                         "sampler",
                                         "samplerShadow",
                                         "shared",
                                         "short",
                                         "sizeof",
                                         "smooth",
                                         "static",
                                         "struct",
                                         "subpassInput",
                                         "subpassInputMS",
                                         "subroutine",
                                         "superp",
                                         "switch",
                                         "template",
                                         "texture",
                                         "this",
                                         "true",
                                         "typedef",
                                         "uint",
                                         "uniform",
                                         "union",
                                         "unsigned",
                                         "using",
                                         "varying",
                                         "void",
                                         "volatile",
                                         "while",
                                         "writeonly",
                                         "sampler3DRect"};

// Matches vec3, dmat4x2, image2DArray, uint64_t, f16vec2 and so on.
bool is_type_name(const std::string& name) {
  const auto starts = [&](std::string_view prefix) { return name.starts_with(prefix); };
  const auto one_of = [&](std::initializer_list<std::string_view> stems) {
    return std::ranges::any_of(stems, [&](std::string_view stem) {
      if (!starts(stem) || name.size() == stem.size()) return false;
      const std::string_view rest = std::string_view(name).substr(stem.size());
      return std::ranges::all_of(rest, [](char c) { return (c >= '1' && c <= '9') || c == 'x'; });
    });
  };
  if (one_of({"vec",    "ivec",   "uvec",   "bvec",   "dvec",   "hvec",   "fvec",   "mat",
              "dmat",   "i8vec",  "u8vec",  "i16vec", "u16vec", "f16vec", "i32vec", "u32vec",
              "f32vec", "i64vec", "u64vec", "f64vec", "f16mat", "f32mat", "f64mat"})) {
    return true;
  }
  for (const std::string_view dimension : {"1D", "2D", "3D", "Cube", "Buffer"}) {
    for (const std::string_view kind :
         {"image", "iimage", "uimage", "sampler", "isampler", "usampler", "texture", "itexture", "utexture"}) {
      if (starts(std::string(kind) + std::string(dimension))) return true;
    }
  }
  static constexpr std::string_view sized[] = {"int8_t",   "int16_t",  "int32_t",   "int64_t",   "uint8_t",  "uint16_t",
                                               "uint32_t", "uint64_t", "float16_t", "float32_t", "float64_t"};
  return std::ranges::find(sized, name) != std::end(sized);
}

// Why a struct cannot have a member with this name; empty if it can.
std::string name_problem(const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (name.empty()) return "a field needs a name";
  if (!letter(name[0]) || !std::ranges::all_of(name, [&](char c) { return letter(c) || digit(c); })) {
    return "names consist of letters, digits and underscores and do not start with a digit";
  }
  if (name.starts_with("gl_") || name.find("__") != std::string::npos) {
    return "GLSL reserves names that start with gl_ or contain two underscores";
  }
  if (std::ranges::find(keywords, name) != std::end(keywords) || is_type_name(name)) {
    return "it is a GLSL keyword";
  }
  if (name == "length") return "GLSL reserves .length for the length() of an array";
  std::string lower = name;
  std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  constexpr std::string_view own[] = {"T", "T_WORDS", "T_BYTES", "T_UNIT_BYTES", "K", "K_WORDS", "K_BYTES"};
  if (std::ranges::find(own, name) != std::end(own) || lower.starts_with("weft")) {
    return "Weft's kernels use this name";
  }
  return {};
}

constexpr uint32_t round_up(uint32_t bytes, uint32_t align) { return (bytes + align - 1) / align * align; }

}  // namespace

Element Element::scalar(const std::string& glsl_type) {
  const Scalar* type = find_scalar(glsl_type);
  if (type == nullptr) {
    throw Error(ErrorCode::invalid_argument,
                "'" + glsl_type + "' is not a scalar type of elements; the types are: " + listed_scalars() + ".");
  }
  Element element;
  element.glsl_type_ = glsl_type;
  element.bytes_ = element.align_ = type->bytes;
  return element;
}

Element Element::structure(std::vector<Field> fields) {
  if (fields.empty()) throw Error(ErrorCode::invalid_argument, "A struct element needs at least one field.");
  Element element;
  for (size_t i = 0; i < fields.size(); ++i) {
    const Field& field = fields[i];
    const std::string problem = name_problem(field.name);
    if (!problem.empty()) {
      throw Error(ErrorCode::invalid_argument, "A field cannot be called '" + field.name + "': " + problem + ".");
    }
    const auto earlier = fields.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::ranges::find(fields.begin(), earlier, field.name, &Field::name) != earlier) {
      throw Error(ErrorCode::invalid_argument, "Two fields are called '" + field.name + "'.");
    }
    element.append(field);
  }
  element.bytes_ = round_up(element.bytes_, element.align_);
  element.align_ = std::max(element.align_, element.unit_bytes());
  element.fields_ = std::move(fields);
  return element;
}

std::string Element::vector_of(const std::string& scalar, size_t components) {
  return std::string(find_scalar(scalar)->vector) + std::to_string(components);
}

void Element::append(const Field& field) {
  const FieldType type = field_type(field.type);
  if (type.scalar == nullptr) {
    throw Error(ErrorCode::invalid_argument,
                "Field '" + field.name + "' is of type '" + field.type + "'; fields are scalars, " + listed_scalars() +
                    ", or vectors of 2, 3 or 4 of them, " + listed_vectors() + " and that number.");
  }
  const uint32_t align = type.scalar->bytes;
  offsets_.push_back(round_up(bytes_, align));
  bytes_ = offsets_.back() + type.bytes();
  align_ = std::max(align_, align);
}

void Element::check_members(std::span<const Member> members, size_t bytes) const {
  constexpr const char* remedy =
      "; list all members in the order of declaration, and add one for each gap that alignas leaves.";
  for (size_t i = 0; i < members.size(); ++i) {
    if (members[i].offset == offsets_[i]) continue;
    throw Error(ErrorCode::invalid_argument,
                "Member '" + fields_[i].name + "' is at byte " + std::to_string(members[i].offset) +
                    " of the C++ struct, but at byte " + std::to_string(offsets_[i]) + " of " + name() + remedy);
  }
  if (bytes == bytes_) return;
  throw Error(ErrorCode::invalid_argument, "The C++ struct has " + std::to_string(bytes) + " bytes, but " + name() +
                                               " has " + std::to_string(bytes_) + remedy);
}

std::string Element::name() const {
  if (!is_struct()) return glsl_type_;
  std::string text = "struct{";
  for (const Field& field : fields_) text += (text.back() == '{' ? "" : " ") + field.type + " " + field.name + ";";
  return text + "}";
}

}  // namespace weft
