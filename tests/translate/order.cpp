#include <weft/device.h>
#include <weft/spirv.h>

#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

// The translator writes values where they are used. A read must not move past a change of the memory that it reads.
namespace {

// Each value is read, then its memory is changed, then it is used: by a store, an atomic, a call, in an index and in a
// condition.
const char* const changed_between = R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %data %own
               OpExecutionMode %main LocalSize 1 1 1
               OpDecorate %array ArrayStride 4
               OpDecorate %block Block
               OpMemberDecorate %block 0 Offset 0
               OpDecorate %data DescriptorSet 0
               OpDecorate %data Binding 0
       %void = OpTypeVoid
       %uint = OpTypeInt 32 0
       %bool = OpTypeBool
   %function = OpTypeFunction %void
      %array = OpTypeRuntimeArray %uint
      %block = OpTypeStruct %array
    %pointer = OpTypePointer StorageBuffer %block
       %word = OpTypePointer StorageBuffer %uint
    %private = OpTypePointer Private %uint
       %data = OpVariable %pointer StorageBuffer
        %own = OpVariable %private Private
         %u0 = OpConstant %uint 0
         %u1 = OpConstant %uint 1
         %u2 = OpConstant %uint 2
         %u3 = OpConstant %uint 3
         %u4 = OpConstant %uint 4
         %u5 = OpConstant %uint 5
         %u6 = OpConstant %uint 6
         %u7 = OpConstant %uint 7
        %u99 = OpConstant %uint 99
     %change = OpFunction %void None %function
         %c0 = OpLabel
               OpStore %own %u99
               OpReturn
               OpFunctionEnd
       %main = OpFunction %void None %function
         %l0 = OpLabel
         %d0 = OpAccessChain %word %data %u0 %u0
         %d1 = OpAccessChain %word %data %u0 %u1
         %d2 = OpAccessChain %word %data %u0 %u2
         %d3 = OpAccessChain %word %data %u0 %u3
         %d4 = OpAccessChain %word %data %u0 %u4
         %d5 = OpAccessChain %word %data %u0 %u5
         %d6 = OpAccessChain %word %data %u0 %u6
         %v0 = OpLoad %uint %d0
               OpStore %d0 %u99
               OpStore %d1 %v0
         %v2 = OpLoad %uint %d2
    %indexed = OpAccessChain %word %data %u0 %v2
               OpStore %d2 %u0
               OpStore %indexed %u99
         %v3 = OpLoad %uint %d3
       %sum3 = OpIAdd %uint %v3 %u1
   %ignored3 = OpAtomicIAdd %uint %d3 %u1 %u0 %u7
               OpStore %d4 %sum3
               OpStore %own %u5
       %five = OpLoad %uint %own
     %called = OpFunctionCall %void %change
               OpStore %d5 %five
         %v6 = OpLoad %uint %d6
      %small = OpULessThan %bool %v6 %u7
               OpStore %d6 %u99
               OpSelectionMerge %end None
               OpBranchConditional %small %then %end
       %then = OpLabel
         %d7 = OpAccessChain %word %data %u0 %u7
               OpStore %d7 %u99
               OpBranch %end
        %end = OpLabel
               OpReturn
               OpFunctionEnd
)";

}  // namespace

TEST_CASE("values read before their memory changes keep the old value where they are used") {
  for (const std::string selector : {"host:form=fibers", "host"}) {
    INFO(selector);
    const Device device = open_device(selector);
    Stream stream = device.stream();
    auto data = device.buffer<uint32_t>(9);
    stream.upload(data, std::vector<uint32_t>{10, 11, 8, 13, 14, 15, 6, 17, 18});
    const Kernel kernel = device.kernel(assemble_spirv(changed_between, "changed_between"));
    stream.dispatch(kernel, {1}, Arguments().bind(0, 0, data));
    CHECK(stream.download(data) == std::vector<uint32_t>{99, 10, 0, 20, 14, 5, 99, 99, 99});
  }
}

TEST_CASE("divisions by zero and excessive shifts give the same in constants as at run time") {
  for (const std::string selector : {"host:form=fibers", "host"}) {
    INFO(selector);
    const Device device = open_device(selector);
    Stream stream = device.stream();
    const Kernel kernel = device.kernel_from_glsl(R"(#version 450
      layout(local_size_x = 1) in;
      layout(constant_id = 0) const uint ZERO = 0;
      layout(constant_id = 1) const int NONE = 0;
      const uint QUOTIENT = 7u / ZERO, REST = 7u % ZERO;
      const uint SHIFTED = 5u << (ZERO + 33u);
      const int SIGNED_QUOTIENT = -7 / NONE, SIGNED_REST = -7 % NONE;
      layout(set = 0, binding = 0) buffer Data { uint data[]; };
      void main() {
        const uint zero = data[0];
        data[1] = QUOTIENT;
        data[2] = REST;
        data[3] = uint(SIGNED_QUOTIENT);
        data[4] = uint(SIGNED_REST);
        data[5] = 7u / zero;
        data[6] = 7u % zero;
        data[7] = uint(-7 / int(zero));
        data[8] = uint(-7 % int(zero));
        data[9] = SHIFTED;
        data[10] = 5u << (zero + 33u);
      })");
    auto data = device.buffer<uint32_t>(11);
    stream.fill(data, 0u);
    stream.dispatch(kernel, {1}, Arguments().bind(0, 0, data));
    const std::vector<uint32_t> results = stream.download(data);
    const std::vector<uint32_t> wanted = {~0u, 7u, ~0u, ~0u - 6u};
    CHECK(std::vector<uint32_t>(results.begin() + 1, results.begin() + 5) == wanted);
    CHECK(std::vector<uint32_t>(results.begin() + 5, results.begin() + 9) == wanted);
    CHECK(results[9] == 10u);
    CHECK(results[10] == 10u);
  }
}
