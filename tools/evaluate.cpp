#include "tools/evaluate.h"

#include <algorithm>

#include <weft/device.h>
#include <weft/glsl.h>

namespace weft::tools {

using namespace support;

namespace {

const char* const source = R"(#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Elements { FROM v[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) writeonly buffer Results { TO v[]; };
layout(push_constant) uniform Block { Elements elements; Results results; uint first; uint first_high; uint count; };
void main() {
  uint at = gl_GlobalInvocationID.x;
  if (at >= count) return;
  uint i = first + at, i_high = first_high + (i < first ? 1u : 0u);
  FROM x = elements.v[at];
  results.v[at] = EXPRESSION;
}
)";
struct Block {
  uint64_t elements, results;
  uint32_t first, first_high, count, unused;
};

// Types of the elements (FROM), the results (TO), and T as the expression uses it.
struct Types {
  ScalarType from, to, t;
};

Buffer<std::byte> evaluate(Stream& stream, const Types& types, const GlslOptions& naming, const std::string& expression,
                           const Buffer<std::byte>& data, uint64_t count) {
  GlslOptions options = naming;
  options.defines = {{"FROM", element_of(types.from).glsl_type()},
                     {"TO", element_of(types.to).glsl_type()},
                     {"T", element_of(types.t).glsl_type()},
                     {"EXPRESSION", expression}};
  const Device device = stream.device();
  options.cache = device.options().cache;
  options.messages = device.options().messages;
  const Kernel kernel = device.kernel(compile_glsl(source, options));
  auto results = device.buffer<std::byte>(count * bytes(types.to));
  constexpr uint64_t step = 65535 * 64;  // every device can dispatch 65535 workgroups
  for (uint64_t first = 0; first < count; first += step) {
    const auto part = uint32_t(std::min(step, count - first));
    const Block block{data.pointer().address + first * bytes(types.from),
                      results.pointer().address + first * bytes(types.to),
                      uint32_t(first),
                      uint32_t(first >> 32),
                      part,
                      0};
    stream.dispatch(kernel, {(part + 63) / 64}, block);
  }
  return results;
}

}  // namespace

std::vector<uint32_t> evaluate_where(Stream& stream, ScalarType type, const std::string& where,
                                     const Buffer<std::byte>& data, uint64_t count) {
  GlslOptions naming;
  naming.name = "--where";
  const auto answers =
      evaluate(stream, {type, ScalarType::u32, type}, naming, "(" + where + ") ? 1u : 0u", data, count);
  return stream.download(answers.view().as<uint32_t>());
}

std::vector<std::byte> evaluate_transform(Stream& stream, ScalarType from, ScalarType to, const std::string& expression,
                                          const Buffer<std::byte>& data, uint64_t count) {
  GlslOptions naming;
  naming.name = "--transform";
  return stream.download(evaluate(stream, {from, to, to}, naming, expression, data, count));
}

}  // namespace weft::tools
