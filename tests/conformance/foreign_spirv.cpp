#include <functional>

#include "core/src/spirv/instructions.h"
#include "tests/conformance/step.h"

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

namespace {

// A kernel that stores the results of `code`, a float each, in 0.0. Ids 10 to 19 are float, vec4, the constants 2, 3, 4
// and 5 as floats, uint, and the constants 3, 8 and 0. Words after ! are as they are, and belong to the instruction
// before them if that may have more operands.
Spirv stores(const std::string& declarations, const std::string& types, const std::string& code,
             const std::vector<std::string>& results) {
  const bool vulkan_model = declarations.find("VulkanMemoryModel") != std::string::npos;
  std::string text =
      "OpCapability Shader\n" + declarations + "\nOpMemoryModel Logical " + (vulkan_model ? "Vulkan" : "GLSL450") + R"(
      OpEntryPoint GLCompute %main "main" %target
      OpExecutionMode %main LocalSize 1 1 1
      OpDecorate %floats ArrayStride 4
      OpDecorate %block Block
      OpMemberDecorate %block 0 Offset 0
      OpDecorate %target DescriptorSet 0
      OpDecorate %target Binding 0
      %void = OpTypeVoid
      %1 = OpTypeFunction %void
      %10 = OpTypeFloat 32
      %11 = OpTypeVector %10 4
      %16 = OpTypeInt 32 0
      %floats = OpTypeRuntimeArray %10
      %block = OpTypeStruct %floats
      %block_pointer = OpTypePointer StorageBuffer %block
      %float_pointer = OpTypePointer StorageBuffer %10
      %target = OpVariable %block_pointer StorageBuffer
      %12 = OpConstant %10 2
      %13 = OpConstant %10 3
      %14 = OpConstant %10 4
      %15 = OpConstant %10 5
      %17 = OpConstant %16 3
      %18 = OpConstant %16 8
      %19 = OpConstant %16 0
)" + types;
  std::string stores;
  for (size_t i = 0; i < results.size(); ++i) {
    const std::string n = std::to_string(i);
    text += "%index" + n + " = OpConstant %16 " + n + "\n";
    stores += "%at" + n + " = OpAccessChain %float_pointer %target %19 %index" + n + "\nOpStore %at" + n + " " +
              results[i] + "\n";
  }
  text += "%main = OpFunction %void None %1\n%start = OpLabel\n" + code + stores + "OpReturn\nOpFunctionEnd\n";
  return assemble_spirv(text, "foreign.spv");
}

std::vector<float> results_of(const Device& device, const Spirv& module, size_t count) {
  Stream stream = device.stream();
  const Buffer<float> target = device.buffer<float>(count);
  stream.fill(target, -1.0f);
  stream.dispatch(device.kernel(module), {}, Arguments().bind(0, 0, target));
  return stream.download(target);
}

// The first word of an instruction.
std::string start(uint32_t opcode, uint32_t words) { return "!" + std::to_string(words << 16 | opcode) + " "; }

}  // namespace

DEVICE_TEST("capabilities that nothing uses refuse no kernel") {
  // As dxc declares for WaveActiveSum(), and others, of which some are newer than SPIRV-Tools; 9999 is not SPIR-V.
  const Spirv module = stores(R"(
      OpCapability GroupNonUniform
      OpCapability GroupNonUniformArithmetic
      OpCapability GroupNonUniformPartitionedNV
      OpCapability !5055
      OpCapability !6022
      OpCapability !4473
      OpCapability !6024
      OpCapability !6030
      OpCapability !9999
      OpExtension "SPV_NV_shader_subgroup_partitioned"
      OpExtension "SPV_KHR_shader_clock"
      OpExtension "SPV_KHR_cooperative_matrix"
      OpExtension "SPV_KHR_untyped_pointers"
      OpExtension "SPV_EXT_replicated_composites"
      OpExtension "SPV_KHR_fma")",
                              "", "%sum = OpGroupNonUniformFAdd %10 %17 Reduce %15\n", {"%sum"});
  if (!device.info().capabilities.contains(63)) unsupported("no GroupNonUniformArithmetic");
  CHECK((results_of(device, module, 1) == std::vector<float>{5}));
}

DEVICE_TEST("newer capabilities that are used are unsupported, with their names") {
  struct Case {
    uint32_t number;
    const char *name, *extension;
    std::string type;
  };
  // Id 40 is a type.
  const Case cases[] = {
      {6022, "CooperativeMatrixKHR", "SPV_KHR_cooperative_matrix", start(4456, 7) + "!40 !10 !17 !18 !18 !19"},
      {4473, "UntypedPointersKHR", "SPV_KHR_untyped_pointers", start(4417, 3) + "!40 !12"},
      {5116, "BFloat16TypeKHR", "SPV_KHR_bfloat16", start(22, 4) + "!40 !16 !0"},
      {4212, "Float8EXT", "SPV_EXT_float8", start(22, 4) + "!40 !8 !4214"},
      {5425, "LongVectorEXT", "SPV_EXT_long_vector", start(5288, 4) + "!40 !10 !18"},
      {6024, "ReplicatedCompositesEXT", "SPV_EXT_replicated_composites",  // of a length that may change
       "%42 = OpSpecConstant %16 3\n%40 = OpTypeArray %10 %42\n" + start(4461, 4) + "!40 !43 !13\n%44 = OpUndef %10"},
      {9999, "capability 9999", "SPV_WEFT_unknown", start(9999, 2) + "!40"},
  };
  for (const Case& c : cases) {
    if (device.info().capabilities.contains(c.number)) continue;
    const std::string model = c.number == 6022 ? "OpCapability VulkanMemoryModel\n" : "";
    const Spirv module =
        stores(model + "OpCapability !" + std::to_string(c.number) + "\nOpExtension \"" + c.extension + "\"",
               c.type + "\n", "%45 = OpCopyObject %10 %15\n", {"%45"});
    check_error(ErrorCode::unsupported, {"foreign.spv", c.name}, [&] { device.kernel(module); });
  }
}

DEVICE_TEST("replicated composites are written out") {
  // A vector and an array constant, a specialization constant, and a value.
  const Spirv module = stores("OpCapability !6024\nOpExtension \"SPV_EXT_replicated_composites\"",
                              "%20 = OpTypeArray %10 %17\n" +         //
                                  start(4461, 4) + "!11 !21 !13\n" +  //
                                  start(4461, 4) + "!20 !22 !14\n" +  //
                                  start(4462, 4) + "!11 !23 !12\n",
                              "%sum = OpFAdd %10 %13 %15\n%30 = OpCopyObject %10 %sum\n" +  //
                                  start(4463, 4) + "!20 !31 !30\n" + R"(
                              %a = OpCompositeExtract %10 %21 3
                              %b = OpCompositeExtract %10 %22 2
                              %c = OpCompositeExtract %10 %23 1
                              %d = OpCompositeExtract %10 %31 0
)",
                              {"%a", "%b", "%c", "%d"});
  CHECK((results_of(device, module, 4) == std::vector<float>{3, 4, 2, 8}));
}

DEVICE_TEST("OpFmaKHR rounds once, or is unsupported by name") {
  // (1 + 2^-23)^2 - (1 + 2^-22) is 2^-46, and 0 if the product is rounded.
  const Spirv module = stores("OpCapability !6030\nOpExtension \"SPV_KHR_fma\"",
                              "%20 = OpConstant %10 0x1.000002p0\n%21 = OpConstant %10 -0x1.000004p0\n",
                              start(4427, 6) + "!10 !22 !20 !20 !21\n", {"%22"});
  if (!device.info().capabilities.contains(6030)) {
    check_error(ErrorCode::unsupported, {"FMAKHR"}, [&] { device.kernel(module); });
    unsupported("no FMAKHR");
  }
  CHECK((results_of(device, module, 1) == std::vector<float>{0x1p-46f}));
}
