#include "tools/transform.h"

#include "tools/evaluate.h"

namespace weft::tools {

using namespace support;

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

TransformOptions with_wide_sums(const TransformOptions& transform, const PrimitiveOptions& options, ScalarType file) {
  const ScalarType sums = sum_type(options, file);
  return transform.given() || sums == file ? transform : TransformOptions{.expression = {}, .type = to_string(sums)};
}

void add_transform_options(Verb& verb, TransformOptions& options) {
  verb.add_option(
          "--transform", options.expression,
          "Replace each number x with the value of this GLSL expression of x (and i, its index); T is the result type")
      .type_name("EXPR");
  verb.add_option("--as", options.type, "Type T of the elements and the result; default: the file's").type_name("TYPE");
}

}  // namespace weft::tools
