#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include <weft/device.h>
#include <weft/glsl.h>
#include <weft/translate.h>

#include "core/src/spirv/reflection.h"

// Measures the time until a kernel can run on the host device: the translation of a kernel of 500 lines, by its parts,
// and the start of a cached kernel.
//
//   kernel_start [DEVICE]
namespace {

using Clock = std::chrono::steady_clock;

// 49 functions of ten lines with loops, selections, vectors and memory, and a main function that calls them all.
std::string long_kernel() {
  std::string source = R"(#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { vec4 data[]; };
layout(set = 0, binding = 1) buffer Words { uint words[]; };
layout(push_constant) uniform Push { uint count; float scale; } push;
shared vec4 tile[64];
)";
  constexpr int functions = 48;
  for (int f = 0; f < functions; ++f) {
    const std::string n = std::to_string(f);
    source += "vec4 step_" + n + "(vec4 v, inout uint state) {\n" + "  vec4 sum = v * push.scale + vec4(" + n +
              ", 1, 2, 3);\n" + "  for (uint i = 0u; i < 4u + state % 3u; ++i) {\n" +
              "    if (sum.x > float(i)) sum.yz -= tile[(i + " + n + "u) & 63u].xw;\n" +
              "    else sum = sum.wxyz + data[(state + i) % push.count];\n" +
              "    state = (state << 5) ^ (state >> 2) ^ words[i + " + n + "u];\n" + "  }\n" +
              "  sum.w += dot(sum, v) / (1.0 + length(v.xyz)) + float(bitCount(state));\n" +
              "  return state % 7u == " + std::to_string(f % 7) + "u ? normalize(sum) : max(sum, v);\n" + "}\n";
  }
  source += "void main() {\n  uint i = gl_GlobalInvocationID.x, state = i;\n  vec4 v = data[i];\n";
  source += "  tile[gl_LocalInvocationIndex] = v;\n  barrier();\n";
  for (int f = 0; f < functions; f += 6) {
    source += "  v = ";
    for (int k = f; k < f + 6; ++k) source += "step_" + std::to_string(k) + "(";
    source += "v";
    for (int k = f; k < f + 6; ++k) source += ", state)";
    source += ";\n";
  }
  return source + "  data[i] = v;\n}\n";
}

// CPU time of this thread, independent of other load. All measured work runs on one thread.
double processor_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

void report(const char* what, int runs, const std::function<void()>& work) {
  std::vector<double> elapsed, processor;
  for (int run = 0; run < runs; ++run) {
    const auto start = Clock::now();
    const double before = processor_milliseconds();
    work();
    processor.push_back(processor_milliseconds() - before);
    elapsed.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  std::sort(elapsed.begin(), elapsed.end());
  std::sort(processor.begin(), processor.end());
  std::printf("%-58s median %7.3f ms, least %7.3f ms; CPU time %7.3f ms\n", what, elapsed[elapsed.size() / 2],
              elapsed.front(), processor[processor.size() / 2]);
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string source = long_kernel();
  const weft::Spirv module = weft::compile_glsl(source, {.name = "long.comp"});
  const auto lines = std::count(source.begin(), source.end(), '\n');
  std::printf("A kernel of %d lines, %zu words of SPIR-V\n", int(lines), module.words.size());
  report("validation alone", 50, [&] { weft::validate_spirv(module); });
  report("reflection alone", 50, [&] { (void)weft::core::reflect_specialized(module, "main", {}); });
  report("translation, with validation and reflection", 50,
         [&] { (void)weft::translate_spirv(module, weft::TranslationTarget::host); });

  const weft::Device device = weft::open_device(argc > 1 ? argv[1] : "host");
  const auto start = Clock::now();
  device.kernel(module);
  std::printf("%-58s %.0f ms\n", "first start on host, from cache or by the compiler",
              std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  report("start from cache", 50, [&] { device.kernel(module); });
  const weft::Spirv small = weft::compile_glsl(R"(#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float v[]; };
layout(push_constant) uniform Push { uint count; float scale; } push;
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < push.count) v[i] *= push.scale;
})");
  device.kernel(small);
  report("start of a kernel of 8 lines from cache", 50, [&] { device.kernel(small); });
  return 0;
} catch (const weft::Error& error) {
  std::fprintf(stderr, "%s\n%s", error.what(), error.log().c_str());
  return 1;
}
