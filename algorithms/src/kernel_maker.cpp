#include "algorithms/src/kernel_maker.h"

#include <weft/error.h>
#include <weft/glsl.h>
#include <algorithm>

#include "algorithms/src/tile_path.h"
#include "core/src/shader_library.h"

namespace weft::algorithms {
namespace {

// GLSL that takes a field of `e` apart into words, and puts one together from `words`.
class StructMacros {
 public:
  explicit StructMacros(const Element& element) {
    for (const Element::Field& field : element.fields()) add(field);
  }

  std::string fields, to_words, from_words;

 private:
  void add(const Element::Field& field) {
    const char last = field.type.back();
    const bool vector = last >= '2' && last <= '4';
    const bool is_float = field.type == "float" || field.type.starts_with("vec");
    const bool is_int = field.type == "int" || field.type.starts_with("ivec");
    fields += field.type + " " + field.name + "; ";
    std::string parts;
    for (int i = 0; i < (vector ? last - '0' : 1); ++i) {
      const std::string member = "e." + field.name + (vector ? std::string(".") + "xyzw"[i] : "");
      const std::string word = "words[" + std::to_string(words_++) + "]";
      to_words += (to_words.empty() ? "" : ", ") + std::string(is_float ? "floatBitsToUint(" : "uint(") + member + ")";
      parts += (parts.empty() ? "" : ", ") +
               std::string(is_float ? "uintBitsToFloat("
                           : is_int ? "int("
                                    : "(") +
               word + ")";
    }
    from_words += (from_words.empty() ? "" : ", ") + (vector ? field.type + "(" + parts + ")" : parts);
  }

  uint32_t words_ = 0;
};

// What Weft's own operators leave alone, by type: the largest value for min, the smallest for max.
std::string own_identity(const std::string& type, bool largest) {
  if (type == "uint") return largest ? "0xFFFFFFFFu" : "0u";
  if (type == "int") return largest ? "0x7FFFFFFF" : "int(0x80000000u)";
  if (type == "float") return largest ? "uintBitsToFloat(0x7F800000u)" : "uintBitsToFloat(0xFF800000u)";
  if (type == "uint64_t") return largest ? "packUint2x32(uvec2(0xFFFFFFFFu))" : "uint64_t(0)";
  if (type == "int64_t") {
    return largest ? "int64_t(packUint2x32(uvec2(0xFFFFFFFFu, 0x7FFFFFFFu)))"
                   : "int64_t(packUint2x32(uvec2(0u, 0x80000000u)))";
  }
  return largest ? "packDouble2x32(uvec2(0u, 0x7FF00000u))" : "packDouble2x32(uvec2(0u, 0xFFF00000u))";
}

std::string identity_of(const Operator& op, const Element& element) {
  if (!op.identity.empty()) return op.identity;
  const bool own = op.name == "sum" || op.name == "min" || op.name == "max";
  if (!own) throw Error(ErrorCode::invalid_argument, "Operator '" + op.name + "' has no identity; give it one.");
  if (element.is_struct()) {
    throw Error(ErrorCode::invalid_argument, "Operator '" + op.name + "' is one of scalars, and the elements are " +
                                                 element.name() + ". Write one for them with Operator::custom().");
  }
  return op.name == "sum" ? "T(0)" : own_identity(element.glsl_type(), op.name == "min");
}

// Macros have one line.
std::string on_one_line(std::string expression) {
  std::ranges::replace_if(
      expression, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return expression;
}

std::string kernel_text(const std::string& file) {
  for (const core::EmbeddedFile& embedded : core::shader_library()) {
    if (embedded.name == file) return std::string(embedded.text);
  }
  throw Error(ErrorCode::unsupported, "This build of Weft lacks the kernel '" + file + "'.");
}

}  // namespace

KernelMaker::KernelMaker(const Device& device, std::string primitive)
    : device_(device), primitive_(std::move(primitive)) {
  const DeviceFeatures& features = device.info().features;
  if (features.int64) define("WEFT_INT64");
  if (features.float64) define("WEFT_FLOAT64");
  if (has_status_packets(device.info())) define("WEFT_INT64_ATOMICS");
  define("WEFT_FULL_SUBGROUPS");
}

KernelMaker& KernelMaker::element(const Element& element) {
  const DeviceInfo& info = device_.info();
  const std::string& type = element.glsl_type();
  const bool lacks_int64 = type.ends_with("int64_t") && !info.features.int64;
  if (lacks_int64 || (type == "double" && !info.features.float64)) {
    throw Error(ErrorCode::unsupported, primitive_ + " of " + type + " cannot run on " + info.selector + " (" +
                                            info.name + "): the device has no 64-bit " +
                                            (lacks_int64 ? "integers" : "floats") + " in kernels.");
  }
  define("T_WORDS", std::to_string(element.words()));
  if (!element.is_struct()) return define("WEFT_SCALAR", type);
  const StructMacros macros(element);
  define("WEFT_STRUCT_FIELDS", macros.fields);
  define("WEFT_STRUCT_TO_WORDS", macros.to_words);
  return define("WEFT_STRUCT_FROM_WORDS", macros.from_words);
}

KernelMaker& KernelMaker::op(const Element& element, const Operator& op) {
  const std::string identity = identity_of(op, element);
  user_code_ = "operator '" + op.name + "' on " + element.name() + " (combine \"" + op.combine + "\", identity \"" +
               identity + "\")";
  define("WEFT_COMBINE", on_one_line(op.combine));
  define("WEFT_IDENTITY", on_one_line(identity));
  if (op.commutative) define("WEFT_COMMUTATIVE");
  return *this;
}

KernelMaker& KernelMaker::place_sum(bool wide) {
  define("WEFT_SCALAR", wide ? "uvec2" : "uint");
  define("T_WORDS", wide ? "2" : "1");
  define("WEFT_COMBINE", "weft_add(a, b)");
  return define("WEFT_IDENTITY", "T(0u)");
}

KernelMaker& KernelMaker::selection(const Selection& selection) {
  if (selection.where.empty()) return *this;
  user_code_ = "selection \"" + selection.where + "\"";
  return define("WEFT_WHERE", on_one_line(selection.where));
}

KernelMaker& KernelMaker::tiling(const Tiling& tiling) {
  workgroup_ = tiling.workgroup;
  const uint32_t lanes = std::max(1u, device_.info().limits.min_subgroup_size);
  define("WEFT_MAX_SUBGROUPS", std::to_string(tiling.workgroup / lanes));
  define("WEFT_ROWS", std::to_string(tiling.rows));
  return define("WEFT_PACK", std::to_string(tiling.pack));
}

KernelMaker& KernelMaker::tuning(const Tuning& tuning) {
  resident_workgroups_ = tuning.resident_workgroups;
  if (tuning.look_back_pause == 0) return *this;
  return define("WEFT_LOOK_BACK_PAUSE", std::to_string(tuning.look_back_pause));
}

KernelMaker& KernelMaker::define(std::string name, std::string value) {
  macros_.emplace_back(std::move(name), std::move(value));
  return *this;
}

Kernel KernelMaker::make(const std::string& name) const {
  GlslOptions options;
  options.name = "weft/kernels/" + name + ".comp";
  options.defines = macros_;
  KernelOptions kernel_options;
  kernel_options.specialize(0, workgroup_);
  kernel_options.resident_workgroups = resident_workgroups_;
  try {
    return device_.kernel(compile_glsl(kernel_text(options.name), options), kernel_options);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::compile_failed || user_code_.empty() || error.log().empty()) throw;
    const std::string first = error.log().substr(0, error.log().find('\n'));
    throw Error(ErrorCode::compile_failed, primitive_ + ": the " + user_code_ + " does not compile: " + first,
                error.log());
  }
}

}  // namespace weft::algorithms
