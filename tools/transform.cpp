#include "transform.h"

#include "evaluate.h"

namespace weft::tools {
namespace {

std::string expression_of(const TransformOptions& options) {
  return options.expression.empty() ? "T(x)" : options.expression;
}

}  // namespace

ScalarType TransformOptions::element_type(ScalarType file) const {
  return type.empty() ? file : parse_scalar_type(type);
}

std::optional<Transform> TransformOptions::transform(ScalarType file) const {
  if (!given()) return std::nullopt;
  return Transform::of(element_of(file), expression_of(*this));
}

Array TransformOptions::elements(Stream& stream, const Array& file, const Buffer<std::byte>& data) const {
  if (!given()) return file;
  const ScalarType to = element_type(file.type);
  return {to, file.shape, evaluate_transform(stream, file.type, to, expression_of(*this), data, file.count())};
}

TransformOptions with_wide_sums(const TransformOptions& transform, const PrimitiveOptions& options, ScalarType file,
                                const Device& device) {
  if (transform.given() || !options.type.empty() || options.parsed_operation() != Operation::sum) return transform;
  if (is_float(file) || bytes(file) == 8) return transform;
  if (!device.info().features.int64) {
    throw Error(ErrorCode::unsupported, "sums of " + to_string(file) + " have 64 bits, and " + describe(device) +
                                            " has no integers of that width; --type " + to_string(file) +
                                            " has sums of that type, which wrap around");
  }
  return {.expression = {}, .type = is_signed_integer(file) ? "i64" : "u64"};
}

void add_transform_options(Verb& verb, TransformOptions& options) {
  verb.add_option(
          "--transform", options.expression,
          "Take in place of each number x what this GLSL expression of x (and i, its index) gives; T is the type "
          "that it has to give")
      .type_name("EXPR");
  verb.add_option("--as", options.type, "That type, and so that of the result; the file's if left out")
      .type_name("TYPE");
}

}  // namespace weft::tools
