#include "where.h"

#include <algorithm>

#include <weft/device.h>
#include <weft/glsl.h>

namespace weft::tools {

std::vector<uint32_t> evaluate_where(Stream& stream, ScalarType type, const std::string& where,
                                     const Buffer<std::byte>& data, uint64_t count) {
  const std::string source = R"(#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Elements { T v[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer Answers { uint v[]; };
layout(push_constant) uniform Block { Elements elements; Answers answers; uint first; uint count; };
void main() {
  uint at = gl_GlobalInvocationID.x;
  if (at >= count) return;
  uint i = first + at;
  T x = elements.v[at];
  answers.v[at] = (WHERE) ? 1u : 0u;
}
)";
  struct Block {
    uint64_t elements, answers;
    uint32_t first, count;
  };
  const Device device = stream.device();
  GlslOptions options;
  options.name = "--where";
  options.defines = {{"T", element_of(type).glsl_type()}, {"WHERE", where}};
  const Spirv module = compile_glsl(source, options);
  const Kernel kernel = device.kernel(module);
  const auto answers = device.buffer<uint32_t>(count);
  constexpr uint64_t step = 65535 * 64;  // workgroups that every device can start at once
  for (uint64_t first = 0; first < count; first += step) {
    const auto part = uint32_t(std::min(step, count - first));
    const Block block{data.pointer().address + first * bytes(type), answers.pointer().address + first * 4,
                      uint32_t(first), part};
    stream.dispatch(kernel, {(part + 63) / 64}, block);
  }
  return stream.download(answers);
}

}  // namespace weft::tools
