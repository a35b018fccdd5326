#include "algorithms/src/base/kernel_maker.h"

#include <algorithm>
#include <set>
#include <sstream>

#include <weft/error.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/device_traits.h"
#include "algorithms/src/base/expression.h"
#include "algorithms/src/base/fields.h"
#include "algorithms/src/base/struct_macros.h"
#include "core/src/glsl/comments.h"
#include "core/src/glsl/library_module.h"

namespace weft::algorithms {
namespace {

// The largest or smallest value of a type: what Weft's min and max make of no elements.
std::string extreme_of(const std::string& type, bool largest) {
  if (type == "uint") return largest ? "0xFFFFFFFFu" : "0u";
  if (type == "int") return largest ? "0x7FFFFFFF" : "int(0x80000000u)";
  if (type == "float") return largest ? "uintBitsToFloat(0x7F800000u)" : "uintBitsToFloat(0xFF800000u)";
  if (type == "uint8_t" || type == "uint16_t") return largest ? "T(0xFFFFu)" : "T(0)";
  if (type == "int8_t") return largest ? "T(0x7F)" : "T(-0x80)";
  if (type == "int16_t") return largest ? "T(0x7FFF)" : "T(-0x8000)";
  if (type == "float16_t") return largest ? "unpackFloat2x16(0x7C00u).x" : "unpackFloat2x16(0xFC00u).x";
  if (type == "uint64_t") return largest ? "packUint2x32(uvec2(0xFFFFFFFFu))" : "uint64_t(0)";
  if (type == "int64_t") {
    return largest ? "int64_t(packUint2x32(uvec2(0xFFFFFFFFu, 0x7FFFFFFFu)))"
                   : "int64_t(packUint2x32(uvec2(0u, 0x80000000u)))";
  }
  return largest ? "packDouble2x32(uvec2(0u, 0x7FF00000u))" : "packDouble2x32(uvec2(0u, 0xFFF00000u))";
}

// The identity of Weft's min and max. For floats it is NaN, which gives way to every number.
std::string own_identity(const std::string& type, bool largest) {
  if (type == "float") return "uintBitsToFloat(0x7FC00000u)";
  if (type == "float16_t") return "unpackFloat2x16(0x7E00u).x";
  if (type == "double") return "packDouble2x32(uvec2(0u, 0x7FF80000u))";
  return extreme_of(type, largest);
}

// The feature, in words, that the device lacks to move elements in units of `unit_bytes`; empty if none.
std::string missing_to_move(uint32_t unit_bytes, const DeviceFeatures& has) {
  if (unit_bytes == 1 && !has.storage8) return "8-bit members in buffers";
  if (unit_bytes == 2 && !has.storage16) return "16-bit members in buffers";
  return {};
}

// The feature, in words, that the device lacks to compute with a scalar type; empty if none.
std::string missing_for(std::string_view type, const DeviceFeatures& has) {
  if (type.ends_with("int64_t") && !has.int64) return "64-bit integers in kernels";
  if (type == "double" && !has.float64) return "64-bit floats in kernels";
  if (type == "float16_t" && !has.float16) return "16-bit floats in kernels";
  if (type.ends_with("int8_t") && !has.int8) return "8-bit integers in kernels";
  if (type.ends_with("int16_t") && !has.int16) return "16-bit integers in kernels";
  return {};
}

// The scalar types in an element.
std::vector<std::string_view> scalars_of(const Element& element) {
  if (!element.is_struct()) return {element.glsl_type()};
  std::vector<std::string_view> types;
  for (const Element::Field& field : element.fields()) types.push_back(field_type(field.type).scalar->type);
  return types;
}

// The operator with the identity, and the result of no elements, that it has for elements of this type.
Operator operator_on(const Element& element, Operator op) {
  if (!op.identity.empty()) return op;
  const auto combines_as = [&](const Operator& own) { return op.combine == own.combine; };
  const bool sums = combines_as(Operator::sum()), takes_min = combines_as(Operator::min());
  const bool own = sums || takes_min || combines_as(Operator::max());
  if (!own) throw Error(ErrorCode::invalid_argument, "Operator '" + op.name + "' has no identity; give it one.");
  if (element.is_struct()) {
    throw Error(ErrorCode::invalid_argument, "Operator '" + op.name + "' is for scalars, and the elements are " +
                                                 element.name() + ". Define one with Operator::custom().");
  }
  op.identity = sums ? "T(0)" : own_identity(element.glsl_type(), takes_min);
  if (!sums) op.nothing = extreme_of(element.glsl_type(), takes_min);
  return op;
}

// A macro must fit on one line.
std::string on_one_line(const std::string& given) {
  std::string expression = core::without_line_comments(given);
  std::ranges::replace_if(expression, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return expression;
}

// An expression has no ';': the one that follows it is Weft's.
std::string in_expression(const std::string& message) {
  if (message.find("syntax error, ") == std::string::npos) return message;
  std::string text = message.substr(0, message.find(", expecting"));
  const std::string_view after = "unexpected ';'";
  if (text.ends_with(after)) text.replace(text.size() - after.size(), after.size(), "it ends too early");
  return text;
}

// The compiler's messages on a user's expression, each once. These are the messages at the location of the first: a
// line of Weft's where the macro is used, so the location itself is removed. Messages at other locations are
// consequences.
std::string messages_on_expression(const std::string& log) {
  const auto location_of = [](const std::string& line) { return line.substr(0, line.find(": ") + 2); };
  std::istringstream lines(log);
  std::string line, location, messages;
  std::set<std::string> seen;
  while (std::getline(lines, line)) {
    if (location.empty()) location = location_of(line);
    if (location_of(line) != location || !seen.insert(line).second) continue;
    messages += (messages.empty() ? "" : "\n") + in_expression(line.substr(location.size()));
  }
  return messages;
}

}  // namespace

KernelMaker::KernelMaker(const Device& device, std::string primitive)
    : device_(device), primitive_(std::move(primitive)) {
  const DeviceFeatures& features = device.info().features;
  if (features.int64) define("WEFT_INT64");
  if (features.float64) define("WEFT_FLOAT64");
  if (has_int64_atomics(device.info())) define("WEFT_INT64_ATOMICS");
}

void KernelMaker::refuse(const std::string& what, const std::string& missing) const {
  if (missing.empty()) return;
  throw Error(ErrorCode::unsupported, primitive_ + " of " + what + " cannot run on " + device_.info().selector + " (" +
                                          device_.info().name + "): the device has no " + missing + ".");
}

void KernelMaker::need_type(const Element& element) {
  for (const std::string_view type : scalars_of(element)) {
    refuse(element.name(), missing_for(type, device_.info().features));
    if (type == "float16_t") define("WEFT_FLOAT16");
    if (type.ends_with("int16_t")) define("WEFT_INT16");
    if (type.ends_with("int8_t")) define("WEFT_INT8");
  }
  bits_of(element);
}

KernelMaker& KernelMaker::key(const Element& key) {
  need_type(key);
  define("K_WORDS", std::to_string(key.words()));
  define("K_BYTES", std::to_string(key.bytes()));
  if (!key.is_struct()) return define("WEFT_KEY_SCALAR", key.glsl_type());
  const StructMacros macros(key);
  define("WEFT_KEY_STRUCT_FIELDS", macros.fields);
  define("WEFT_KEY_STRUCT_TO_WORDS", macros.to_words);
  return define("WEFT_KEY_STRUCT_FROM_WORDS", macros.from_words);
}

KernelMaker& KernelMaker::element(const Element& element) {
  need_type(element);
  define("T_WORDS", std::to_string(element.words()));
  if (element.unit_bytes() < 4) define("T_BYTES", std::to_string(element.bytes()));
  if (!element.is_struct()) return define("WEFT_SCALAR", element.glsl_type());
  const StructMacros macros(element);
  define("WEFT_STRUCT_FIELDS", macros.fields);
  define("WEFT_STRUCT_TO_WORDS", macros.to_words);
  return define("WEFT_STRUCT_FROM_WORDS", macros.from_words);
}

void KernelMaker::add_user_code(const std::string& text) {
  user_code_ += (user_code_.empty() ? "" : " or the ") + text;
}

KernelMaker& KernelMaker::bits_of(const Element& element) {
  refuse(element.name(), missing_to_move(element.unit_bytes(), device_.info().features));
  if (element.unit_bytes() < 4) define(element.unit_bytes() == 1 ? "WEFT_STORAGE8" : "WEFT_STORAGE16");
  return *this;
}

KernelMaker& KernelMaker::op(const Element& element, const Operator& given) {
  const Operator op = operator_on(element, given);
  add_user_code("operator '" + op.name + "' on " + element.name() + " (combine \"" + op.combine + "\", identity \"" +
                op.identity + "\"" + (op.nothing.empty() ? "" : ", nothing \"" + op.nothing + "\"") + ")");
  define_expression("WEFT_COMBINE", "combine", op.combine);
  define_expression("WEFT_IDENTITY", "identity", op.identity);
  if (!op.nothing.empty() && op.nothing != op.identity) {
    define_expression("WEFT_NOTHING", "nothing", op.nothing);
    define("WEFT_NOTHING_DIFFERS");
  }
  if (op.commutative) define("WEFT_COMMUTATIVE");
  return *this;
}

KernelMaker& KernelMaker::tiling(const Tiling& tiling) {
  workgroup_ = tiling.workgroup;
  const SubgroupSizes lanes = subgroup_sizes(device_.info());
  define("WEFT_MAX_SUBGROUPS", std::to_string(std::max(1u, tiling.workgroup / lanes.least)));
  define("WEFT_ROWS", std::to_string(tiling.rows));
  const uint32_t row_elements = lanes.most * tiling.pack;
  define("WEFT_COUNT_BITS", row_elements < 256 ? "8" : "16");
  if (tiling.staged_rows > 0) define("WEFT_STAGED_ROWS", std::to_string(tiling.staged_rows));
  return define("WEFT_PACK", std::to_string(tiling.pack));
}

KernelMaker& KernelMaker::workgroups_per_multiprocessor(uint32_t groups) {
  workgroups_per_multiprocessor_ = groups;
  return *this;
}

KernelMaker& KernelMaker::look_back(const LookBackTuning& tuning) {
  workgroups_per_multiprocessor(tuning.workgroups_per_multiprocessor);
  if (tuning.pause == 0) return *this;
  return define("WEFT_LOOK_BACK_PAUSE", std::to_string(tuning.pause));
}

KernelMaker& KernelMaker::expression(const char* macro, const std::string& what, const std::string& glsl,
                                     const std::string& suffix) {
  add_user_code(what + " \"" + glsl + "\"" + (suffix.empty() ? "" : " " + suffix));
  define_expression(macro, what, glsl);
  return *this;
}

void KernelMaker::define_expression(const char* macro, const std::string& what, const std::string& glsl) {
  if (const std::string problem = expression_problem(glsl); !problem.empty()) {
    throw Error(ErrorCode::compile_failed,
                primitive_ + ": the " + what + " \"" + glsl + "\" is not one GLSL expression: " + problem + ".");
  }
  user_expressions_.push_back(glsl);
  define(macro, on_one_line(glsl));
}

KernelMaker& KernelMaker::define(std::string name, std::string value) {
  macros_.emplace_back(std::move(name), std::move(value));
  return *this;
}

Kernel KernelMaker::make(const std::string& name) const {
  const bool is_serial = workgroup_ == 1;
  auto macros = macros_;
  if (!is_serial) macros.emplace_back("WEFT_FULL_SUBGROUPS", "1");
  Spirv module;
  try {
    module = core::library_module(device_.impl(), "weft/kernels/" + name + ".comp", macros);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::compile_failed || user_code_.empty() || error.log().empty()) throw;
    const std::string messages = messages_on_expression(error.log());
    std::string hint;
    for (size_t i = 0; i < user_expressions_.size() && hint.empty(); ++i) {
      hint = expression_hint(user_expressions_[i], messages);
    }
    throw Error(
        ErrorCode::compile_failed,
        primitive_ + ": the " + user_code_ + " does not compile: " + messages + (hint.empty() ? "" : ". " + hint),
        messages);
  }
  KernelOptions kernel_options;
  kernel_options.specialize(0, workgroup_);
  const DeviceLimits& limits = device_.info().limits;
  const SubgroupSizes lanes = subgroup_sizes(device_.info());
  if (is_serial) {
    if (device_.info().features.loop_vectorization) kernel_options.subgroup_size = limits.min_subgroup_size;
  } else if (lanes.is_fixed() && limits.min_subgroup_size != limits.max_subgroup_size) {
    kernel_options.subgroup_size = lanes.least;
  }
  kernel_options.workgroups_per_multiprocessor = workgroups_per_multiprocessor_;
  return device_.kernel(module, kernel_options);
}

}  // namespace weft::algorithms
