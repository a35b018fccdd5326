#include <weft/reductions.h>

#include <algorithm>

#include <weft/error.h>

#include "algorithms/src/base/kept_plans.h"
#include "algorithms/src/base/tiling.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

// How a scalar is stored in a struct of words.
struct InWords {
  const char* scalar;
  const char* field;               // The field's type.
  const char *pack, *unpack;       // From the field to the value compared; from the scalar to the field.
  const char *largest, *smallest;  // In the field's type.
  const char* nan = nullptr;       // The same, of floats.
};
constexpr const char* quiet_nan = "uintBitsToFloat(0x7FC00000u)";
constexpr const char* infinity = "uintBitsToFloat(0x7F800000u)";
constexpr const char* minus_infinity = "uintBitsToFloat(0xFF800000u)";
constexpr InWords all_in_words[] = {
    {"int8_t", "int", "", "int", "127", "-128"},
    {"uint8_t", "uint", "", "uint", "255u", "0u"},
    {"int16_t", "int", "", "int", "32767", "-32768"},
    {"uint16_t", "uint", "", "uint", "65535u", "0u"},
    {"int", "int", "", "", "0x7FFFFFFF", "int(0x80000000u)"},
    {"uint", "uint", "", "", "0xFFFFFFFFu", "0u"},
    {"float16_t", "float", "", "float", infinity, minus_infinity, quiet_nan},
    {"float", "float", "", "", infinity, minus_infinity, quiet_nan},
    {"uint64_t", "uvec2", "packUint2x32", "unpackUint2x32", "uvec2(0xFFFFFFFFu)", "uvec2(0u)"},
    {"int64_t", "uvec2", "int64_t(packUint2x32", "unpackUint2x32(uint64_t", "uvec2(0xFFFFFFFFu, 0x7FFFFFFFu)",
     "uvec2(0u, 0x80000000u)"},
    {"double", "uvec2", "packDouble2x32", "unpackDouble2x32", "uvec2(0u, 0x7FF00000u)", "uvec2(0u, 0xFFF00000u)",
     "uvec2(0u, 0x7FF80000u)"}};

const InWords& in_words(const char* reduction, const Element& of) {
  const auto found = std::ranges::find(all_in_words, of.glsl_type(), &InWords::scalar);
  if (found == std::end(all_in_words)) {
    throw Error(ErrorCode::invalid_argument,
                std::string(reduction) + " takes scalars, and the elements are " + of.name() + ".");
  }
  return *found;
}

// "f(g(x))" of "f(g" and "x".
std::string call(const std::string& function, const std::string& argument) {
  const auto open = std::ranges::count(function, '(');
  return function + "(" + argument + std::string(size_t(open) + 1, ')');
}

bool is_float(const Element& of) { return of.glsl_type() == "double" || of.glsl_type().starts_with("float"); }

// `before` is < or >.
Reduction arg_of(const char* name, const Element& of, const std::string& before) {
  const InWords& value = in_words(name, of);
  const std::string none = std::string("T(0xFFFFFFFFu, 0xFFFFFFFFu, ") + value.field + "(0))";
  const std::string a = call(value.pack, "a.value"), b = call(value.pack, "b.value");
  const std::string earlier = "(b.high < a.high || (b.high == a.high && b.low < a.low))";
  const std::string combine = "(b.low & b.high) == 0xFFFFFFFFu ? a : (a.low & a.high) == 0xFFFFFFFFu || " + b + " " +
                              before + " " + a + " || (" + b + " == " + a + " && " + earlier + ") ? b : a";
  const std::string found = "T(i, i_high, " + call(value.unpack, "x") + ")";
  return {Element::structure({{"uint", "low"}, {"uint", "high"}, {value.field, "value"}}),
          Operator::custom(name, combine, none, true),
          Transform::of(of, is_float(of) ? "isnan(x) ? " + none + " : " + found : found)};
}

// The identity is that of Operator::min() and max(); without elements the result is `largest` and `smallest`.
Operator least_and_most(const char* name, const std::string& combine, const std::string& largest,
                        const std::string& smallest, const std::string& nan) {
  const auto both = [](const std::string& low, const std::string& high) { return "T(" + low + ", " + high + ")"; };
  const std::string nothing = both(largest, smallest);
  Operator op = Operator::custom(name, combine, nan.empty() ? nothing : both(nan, nan), true);
  op.nothing = nothing;
  return op;
}

uint32_t dimensions_of_bounds(uint32_t dimensions) {
  if (dimensions >= 2 && dimensions <= 4) return dimensions;
  core::invalid("bounds",
                "points have 2 to 4 dimensions, not " + std::to_string(dimensions) + "; for numbers use min_max().");
}

}  // namespace

Reduction Reduction::arg_min(const Element& of) { return arg_of("arg_min", of, "<"); }
Reduction Reduction::arg_max(const Element& of) { return arg_of("arg_max", of, ">"); }

Reduction Reduction::min_max(const Element& of) {
  const InWords& value = in_words("min_max", of);
  // Packed values are unpacked into words again; others are compared as they are.
  const std::string back = std::string(value.field) == "uvec2" ? value.unpack : "";
  const auto pick = [&](const std::string& function, const std::string& field) {
    const std::string a = call(value.pack, "a." + field), b = call(value.pack, "b." + field);
    return call(back, function + "(" + a + ", " + b + ")");
  };
  const std::string x = call(value.unpack, "x");
  return {Element::structure({{value.field, "smallest"}, {value.field, "largest"}}),
          least_and_most("min_max", "T(" + pick("weft_lower", "smallest") + ", " + pick("weft_upper", "largest") + ")",
                         value.largest, value.smallest, value.nan ? value.nan : ""),
          Transform::of(of, "T(" + x + ", " + x + ")")};
}

Reduction Reduction::bounds(uint32_t dimensions) {
  const std::string point = "vec" + std::to_string(dimensions_of_bounds(dimensions));
  return bounds(dimensions, Element::structure({{point, "at"}}), "x.at");
}

Reduction Reduction::bounds(uint32_t dimensions, const Element& of, const std::string& point) {
  const std::string vector = "vec" + std::to_string(dimensions_of_bounds(dimensions));
  const auto everywhere = [&](const std::string& x) { return vector + "(" + x + ")"; };
  const std::string at = everywhere(point);
  return {Element::structure({{vector, "low"}, {vector, "high"}}),
          least_and_most("bounds", "T(weft_lower(a.low, b.low), weft_upper(a.high, b.high))", everywhere(infinity),
                         everywhere(minus_infinity), everywhere(quiet_nan)),
          Transform::of(of, "T(" + at + ", " + at + ")")};
}

Reduction Reduction::dot_product(const Element& of) {
  in_words("dot_product", of);
  return {of, Operator::sum(), Transform::of_two(of, "x * y")};
}

void reduce(Stream& stream, const Reduction& reduction, const ElementMemory& input, const ElementMemory& second,
            std::span<std::byte> result) {
  const Element &element = reduction.element, &from = reduction.transform.from;
  const Region &first = elements_in("reduce", "input", input, from),
               &other = elements_in("reduce", "second", second, from);
  if (result.size() != element.bytes()) {
    core::invalid("reduce", "the result has " + std::to_string(result.size()) + " bytes, and one of " + element.name() +
                                " has " + std::to_string(element.bytes()) + ".");
  }
  if (reduction.transform.two && first.bytes != other.bytes) {
    core::invalid("reduce", "the inputs have " + std::to_string(first.bytes) + " and " + std::to_string(other.bytes) +
                                " bytes; these must be equal.");
  }
  const uint64_t count = first.bytes / from.bytes(), max_count = kept_plan_count(count);
  const std::string parameters = key_of(reduction.op) + "\n" + key_of(reduction.transform);
  const auto plan = stream.cached<Reduce>(plan_key("reduction", element, parameters, max_count), [&] {
    return std::make_shared<Reduce>(stream.device(), element, reduction.op, max_count,
                                    Reduce::Options{.transform = reduction.transform});
  });
  run_plan(stream, result, plan->temporary_bytes(), [&](const Region& output, const Region& temporary) {
    plan->record(stream, {first, output, count, temporary, other});
  });
}

}  // namespace weft
