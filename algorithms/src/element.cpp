#include <weft/element.h>

#include <weft/error.h>
#include <algorithm>
#include <array>
#include <string_view>

namespace weft {
namespace {

struct Scalar {
  std::string_view type;
  uint32_t bytes;
};
constexpr std::array<Scalar, 11> scalars{{{"int8_t", 1},
                                          {"uint8_t", 1},
                                          {"int16_t", 2},
                                          {"uint16_t", 2},
                                          {"int", 4},
                                          {"uint", 4},
                                          {"int64_t", 8},
                                          {"uint64_t", 8},
                                          {"float16_t", 2},
                                          {"float", 4},
                                          {"double", 8}}};

constexpr std::array<Scalar, 12> field_types{{{"int", 4},
                                              {"uint", 4},
                                              {"float", 4},
                                              {"ivec2", 8},
                                              {"ivec3", 12},
                                              {"ivec4", 16},
                                              {"uvec2", 8},
                                              {"uvec3", 12},
                                              {"uvec4", 16},
                                              {"vec2", 8},
                                              {"vec3", 12},
                                              {"vec4", 16}}};

template <typename Types>
std::string listed(const Types& types) {
  std::string text;
  for (const Scalar& type : types) text += (text.empty() ? "" : ", ") + std::string(type.type);
  return text;
}

// Keywords and reserved words of GLSL 4.60 that have the form of a plain name; families are matched by is_type_name().
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

// vec3, dmat4x2, image2DArray, uint64_t, f16vec2 and the like.
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

// Why a struct cannot have a member of that name; empty when it can.
std::string name_problem(const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (name.empty()) return "a field needs a name";
  if (!letter(name[0]) || !std::ranges::all_of(name, [&](char c) { return letter(c) || digit(c); })) {
    return "a name is made of letters, digits and underscores and does not start with a digit";
  }
  if (name.starts_with("gl_") || name.find("__") != std::string::npos) {
    return "GLSL keeps names that start with gl_ or hold two underscores to itself";
  }
  if (std::ranges::find(keywords, name) != std::end(keywords) || is_type_name(name)) {
    return "it is a keyword of GLSL";
  }
  if (name == "length") return "GLSL takes .length for the length() of an array";
  std::string lower = name;
  std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  if (name == "T" || name == "T_WORDS" || lower.starts_with("weft")) return "Weft's kernels use that name themselves";
  return {};
}

}  // namespace

Element Element::scalar(const std::string& glsl_type) {
  const auto type = std::ranges::find(scalars, std::string_view(glsl_type), &Scalar::type);
  if (type == scalars.end()) {
    throw Error(ErrorCode::invalid_argument,
                "'" + glsl_type + "' is no scalar that elements can be; there are: " + listed(scalars) + ".");
  }
  Element element;
  element.glsl_type_ = glsl_type;
  element.bytes_ = type->bytes;
  return element;
}

Element Element::structure(std::vector<Field> fields) {
  if (fields.empty()) throw Error(ErrorCode::invalid_argument, "A struct element needs at least one field.");
  Element element;
  for (size_t i = 0; i < fields.size(); ++i) {
    const Field& field = fields[i];
    const auto type = std::ranges::find(field_types, std::string_view(field.type), &Scalar::type);
    if (type == field_types.end()) {
      throw Error(ErrorCode::invalid_argument, "Field '" + field.name + "' is of type '" + field.type +
                                                   "'; fields are of 32-bit words: " + listed(field_types) + ".");
    }
    const std::string problem = name_problem(field.name);
    if (!problem.empty()) {
      throw Error(ErrorCode::invalid_argument, "A field cannot be called '" + field.name + "': " + problem + ".");
    }
    const auto earlier = fields.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::ranges::find(fields.begin(), earlier, field.name, &Field::name) != earlier) {
      throw Error(ErrorCode::invalid_argument, "Two fields are called '" + field.name + "'.");
    }
    element.bytes_ += type->bytes;
  }
  element.fields_ = std::move(fields);
  return element;
}

std::string Element::name() const {
  if (!is_struct()) return glsl_type_;
  std::string text = "struct{";
  for (const Field& field : fields_) text += (text.back() == '{' ? "" : " ") + field.type + " " + field.name + ";";
  return text + "}";
}

}  // namespace weft
