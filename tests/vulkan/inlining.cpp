#include "core/src/spirv/inlining.h"

#include <weft/glsl.h>
#include <weft/spirv.h>

#include "tests/conformance/step.h"

using namespace weft;
using namespace weft::test;

namespace {

size_t function_count(const Spirv& module) {
  const std::string text = disassemble_spirv(module);
  size_t count = 0;
  for (size_t at = text.find("OpFunctionEnd"); at != std::string::npos; at = text.find("OpFunctionEnd", at + 1))
    ++count;
  return count;
}

}  // namespace

DEVICE_TEST("a kernel does the same with its functions inlined, even with early returns and arrays") {
  const Spirv called = compile_glsl(R"(#version 460
    layout(local_size_x = 64) in;
    layout(binding = 0, std430) readonly buffer In { uint data[]; } source;
    layout(binding = 1, std430) writeonly buffer Out { uint data[]; } sink;
    layout(push_constant) uniform Push { uint count; } push;
    void load(out uint x[4], uint first) {
      for (int k = 0; k < 4; ++k) x[k] = 7u;
      if (first >= push.count) return;
      for (int k = 0; k < 4; ++k) {
        if (first + uint(k) >= push.count) return;
        x[k] = source.data[first + uint(k)];
      }
    }
    uint mixed(uint x[4]) {
      for (int k = 0; k < 3; ++k) {
        if ((x[k] & 3u) == 0u) return x[k + 1] * 5u;
        if ((x[k] & 3u) == 1u) continue;
        x[k + 1] += x[k];
      }
      return x[3];
    }
    void main() {
      uint x[4];
      load(x, gl_GlobalInvocationID.x * 4u);
      sink.data[gl_GlobalInvocationID.x] = mixed(x);
    })");
  Spirv inlined = called;
  inlined.words = core::with_functions_inlined(called.words);
  validate_spirv(inlined);
  CHECK_EQ(function_count(called), 3);
  CHECK_EQ(function_count(inlined), 1);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("inlining");
  constexpr uint32_t invocations = 640, count = invocations * 4 - 101;
  const std::vector<uint32_t> data = random_values<uint32_t>(count, generator);
  const Buffer<uint32_t> source = device.buffer<uint32_t>(count), sink = device.buffer<uint32_t>(invocations);
  stream.upload(source, data);
  std::vector<std::vector<uint32_t>> results;
  for (const Spirv& module : {called, inlined}) {
    stream.fill(sink, 0xa5a5a5a5u);
    const Kernel kernel = device.kernel(module);
    stream.dispatch(kernel, {invocations / 64, 1, 1}, Arguments(count).bind(0, 0, source).bind(0, 1, sink));
    results.push_back(stream.download(sink));
  }
  check_same(results[1], results[0]);
}
