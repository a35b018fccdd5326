#include <weft/device.h>
#include <weft/glsl.h>

#include "tests/support/test.h"
#include "tests/translate/mutate.h"

using namespace weft;
using namespace weft::test;

// Small modules that describe huge objects: they may neither exhaust memory nor crash the process.
namespace {

// Returns a kernel with these types and constants, and this body.
Spirv module_with(const std::string& declarations, const std::string& body) {
  const std::string begin = R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main"
               OpExecutionMode %main LocalSize 1 1 1
       %void = OpTypeVoid
       %uint = OpTypeInt 32 0
   %function = OpTypeFunction %void
         %u1 = OpConstant %uint 1
        %u64 = OpConstant %uint 64
      %large = OpConstant %uint 65536
       %most = OpConstant %uint 4294967295
       %many = OpTypeArray %uint %most
)";
  const std::string main = "\n%main = OpFunction %void None %function\n%l0 = OpLabel\n";
  return assemble_spirv(begin + declarations + main + body + "\nOpReturn\nOpFunctionEnd\n", "hostile");
}

Fate fate_of(const Spirv& module) {
  std::mt19937_64 unused(1);
  return process(module.words, unused);
}

}  // namespace

TEST_CASE("null constants of arrays take no memory, whatever their length") {
  CHECK(fate_of(module_with("%null = OpConstantNull %many", "")) == Fate::translated);
  CHECK(fate_of(module_with("%local = OpTypePointer Function %many\n%null = OpConstantNull %many",
                            "%v = OpVariable %local Function\nOpStore %v %null")) == Fate::translated);
  CHECK(fate_of(module_with(R"(
    %a2 = OpTypeArray %many %large
    %a3 = OpTypeArray %a2 %large
    %a4 = OpTypeArray %a3 %large
    %null = OpConstantNull %a4)",
                            "")) == Fate::translated);
}

TEST_CASE("constants that contain each other many times are refused") {
  std::string text = "%a0 = OpTypeArray %uint %u64\n%c0 = OpConstantComposite %a0";
  for (int k = 0; k < 64; ++k) text += " %u1";
  for (int level = 1; level < 5; ++level) {
    const std::string l = std::to_string(level), below = std::to_string(level - 1);
    text += "\n%a" + l + " = OpTypeArray %a" + below + " %u64\n%c" + l + " = OpConstantComposite %a" + l;
    for (int k = 0; k < 64; ++k) text += " %c" + below;
  }
  CHECK(fate_of(module_with(text, "")) == Fate::refused);
}

TEST_CASE("workgroup memory whose size has more than 64 bits is refused") {
  const Spirv module = compile_glsl(R"(#version 450
    layout(local_size_x = 1) in;
    shared uvec4 huge[2147483647][2147483647][16];
    void main() { huge[gl_WorkGroupID.x][1][2].x = 3u; })");
  CHECK(fate_of(module) == Fate::refused);
  check_error(ErrorCode::unsupported, {"workgroup memory"}, [&] { open_device("host").kernel(module); });
}

TEST_CASE("arrays of absurdly many buffers are refused") {
  const Spirv module = compile_glsl(R"(#version 450
    layout(local_size_x = 1) in;
    layout(set = 0, binding = 0) buffer B { uint v; } b[100000];
    void main() { b[gl_WorkGroupID.x].v = 3u; })");
  CHECK(fate_of(module) == Fate::refused);
}

TEST_CASE("the host device refuses variables that a fiber's stack cannot hold") {
  const Device device = open_device("host:form=fibers");
  const Spirv module = compile_glsl(R"(#version 450
    layout(local_size_x = 1) in;
    layout(set = 0, binding = 0) buffer B { uint v[]; };
    void main() {
      uint large[1000000];
      for (uint i = 0u; i < 1000000u; ++i) large[i] = v[i];
      v[0] = large[v[1]];
    })");
  CHECK(fate_of(module) == Fate::translated);
  check_error(ErrorCode::unsupported, {"4000004 bytes"}, [&] { device.kernel(module); });
}
