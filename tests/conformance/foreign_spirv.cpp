#include <functional>

#include "core/src/spirv/instructions.h"
#include "step.h"

// SPIR-V as other compilers write it, with what SPIRV-Tools of the oldest supported system does not know.

using namespace weft;
using namespace weft::test;

namespace {

constexpr uint32_t op_source = 3, op_ext_inst = 12, op_ext_inst_with_forward_refs = 4433;

// Stores 7. Non-semantic instructions are at module scope, in a block, between blocks and after a merge instruction.
const char* const stores_seven = R"(
    OpCapability Shader
    OpExtension "SPV_KHR_non_semantic_info"
    %debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
    %other = OpExtInstImport "NonSemantic.Weft.Unknown"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main" %target
    OpExecutionMode %main LocalSize 1 1 1
    OpSource GLSL 450
    OpName %target "target"
    OpName %first "first"
    OpDecorate %words ArrayStride 4
    OpDecorate %block Block
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %target DescriptorSet 0
    OpDecorate %target Binding 0
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %bool = OpTypeBool
    %uint = OpTypeInt 32 0
    %zero = OpConstant %uint 0
    %seven = OpConstant %uint 7
    %words = OpTypeRuntimeArray %uint
    %block = OpTypeStruct %words
    %block_pointer = OpTypePointer StorageBuffer %block
    %uint_pointer = OpTypePointer StorageBuffer %uint
    %target = OpVariable %block_pointer StorageBuffer
    %first = OpExtInst %void %other 1 %zero
    %second = OpExtInst %void %other 2 %first
    %main = OpFunction %void None %function
    %start = OpLabel
    %pointer = OpAccessChain %uint_pointer %target %zero %zero
    %old = OpLoad %uint %pointer
    %different = OpINotEqual %bool %old %seven
    OpSelectionMerge %done None
    %a = OpExtInst %void %debug DebugNoScope
    OpBranchConditional %different %then %done
    %b = OpExtInst %void %debug DebugNoScope
    %then = OpLabel
    %c = OpExtInst %void %other 4 %old
    OpStore %pointer %seven
    OpBranch %done
    %d = OpExtInst %void %other 3 %second
    %done = OpLabel
    OpReturn
    %e = OpExtInst %void %debug DebugNoScope
    OpFunctionEnd
)";

// The same with `change` applied to the words of each instruction.
Spirv changed(const std::function<void(std::span<uint32_t>)>& change) {
  Spirv module = assemble_spirv(stores_seven, "foreign.spv");
  for (size_t at = core::spirv_header_words, length = 0; at < module.words.size(); at += length) {
    length = module.words[at] >> 16;
    change(std::span(module.words).subspan(at, length));
  }
  return module;
}

void check_stores_seven(const Device& device, const Spirv& module) {
  Stream stream = device.stream();
  const Buffer<uint32_t> target = device.buffer<uint32_t>(1);
  stream.fill(target, 0xa5a5a5a5);
  stream.dispatch(device.kernel(module), {}, Arguments().bind(0, 0, target));
  CHECK_EQ(stream.download(target).at(0), 7);
  CHECK_EQ(reflect(module).bindings.at(0).name, "target");
}

}  // namespace

DEVICE_TEST("debug instructions between blocks and after merge instructions are no part of a kernel") {
  check_stores_seven(device, changed([](auto) {}));
}

DEVICE_TEST("source languages of any number are taken") {
  for (const uint32_t language : {5u, 6u, 11u, 15u, 1000u, ~0u}) {
    INFO("language ", language);
    check_stores_seven(device, changed([&](std::span<uint32_t> i) {
                         if ((i[0] & 0xffff) == op_source) i[1] = language;
                       }));
  }
}

DEVICE_TEST("debug instructions that are newer than SPIRV-Tools are taken") {
  SUBCASE("numbers") {
    check_stores_seven(device, changed([](std::span<uint32_t> i) {
                         if ((i[0] & 0xffff) == op_ext_inst) i[4] += 5000;
                       }));
  }
  SUBCASE("references to later instructions") {
    uint32_t second = 0;
    changed([&](std::span<uint32_t> i) {
      if ((i[0] & 0xffff) == op_ext_inst && i[4] == 2) second = i[2];
    });
    check_stores_seven(device, changed([&](std::span<uint32_t> i) {
                         if ((i[0] & 0xffff) != op_ext_inst || i[4] != 1) return;
                         i[0] = i[0] >> 16 << 16 | op_ext_inst_with_forward_refs;
                         i[5] = second;
                       }));
  }
}
