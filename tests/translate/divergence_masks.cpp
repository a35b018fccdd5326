#include <doctest/doctest.h>

#include <string>

#include <weft/glsl.h>
#include <weft/translate.h>

using namespace weft;

// A mask costs a ballot wherever lanes diverge, so none is kept where no subgroup operation needs it.
namespace {

const char* const masks_head = R"(#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Data { uint words[]; } data;
layout(push_constant) uniform Constants { uint count, flags; } constants;
uint x = data.words[gl_GlobalInvocationID.x];
)";

// Returns the C++ of a module's functions, without the prelude.
std::string translated(const Spirv& module) {
  const std::string code = translate_spirv(module, TranslationTarget::host).code;
  const size_t begin = code.find("namespace kernel {"), close = code.find("}  // namespace kernel");
  REQUIRE_NE(begin, std::string::npos);
  REQUIRE_NE(close, std::string::npos);
  return code.substr(begin, close - begin);
}

std::string translated(const std::string& functions, const std::string& body) {
  const std::string end = "data.words[gl_GlobalInvocationID.x] = x; }\n";
  return translated(
      compile_glsl(masks_head + functions + "void main() {\n" + body + end, GlslOptions{.name = "masks"}));
}

// Adds over the lanes that read 0 from the first word of a storage buffer, which others may be writing.
Spirv first_word_decides(const std::string& storage_class, const std::string& block) {
  const std::string pointer = " = OpTypePointer " + storage_class + " ";
  return assemble_spirv(
      "; Version: 1.3\n"
      R"(
    OpCapability Shader
    OpCapability GroupNonUniformArithmetic
    OpExtension "SPV_KHR_storage_buffer_storage_class"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 64 1 1
    OpDecorate %words ArrayStride 4
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %block )" +
          block + R"(
    OpDecorate %data DescriptorSet 0
    OpDecorate %data Binding 0
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %bool = OpTypeBool
    %zero = OpConstant %uint 0
    %scope = OpConstant %uint 3
    %words = OpTypeRuntimeArray %uint
    %block = OpTypeStruct %words
    %block_pointer)" +
          pointer + R"(%block
    %word_pointer)" +
          pointer + R"(%uint
    %data = OpVariable %block_pointer )" +
          storage_class + R"(
    %main = OpFunction %void None %function
    %start = OpLabel
    %first = OpAccessChain %word_pointer %data %zero %zero
    %x = OpLoad %uint %first
    %is_zero = OpIEqual %bool %x %zero
    OpSelectionMerge %end None
    OpBranchConditional %is_zero %then %end
    %then = OpLabel
    %sum = OpGroupNonUniformIAdd %uint %scope Reduce %x
    OpStore %first %sum
    OpBranch %end
    %end = OpLabel
    OpReturn
    OpFunctionEnd)",
      "masks");
}

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
  return found;
}

// Checks that operations take the mask that the function was given, and that no mask is computed or changed.
void check_mask_is_only_passed_on(const std::string& code) {
  CAPTURE(code);
  CHECK_EQ(count(code, "weft_ballot_mask"), 0);
  CHECK_EQ(count(code, "mask ="), 0);
  CHECK_EQ(count(code, "weft_without"), 0);
  CHECK_EQ(count(code, "exit_to"), 0);
}

}  // namespace

TEST_CASE("without subgroup operations the translation has no masks") {
  const std::string code = translated("uint f(uint y) { for (;;) { if (y > 9u) return y; y += x; } }\n", R"(
    if (x % 2u == 0u) x += f(x); else return;
    for (uint i = 0u; i < x; ++i) { if (i == 7u) continue; if (x > 100u) break; x += i; }
    switch (x % 4u) { case 0u: x += 1u; case 1u: if (x > 5u) break; x += 2u; default: x += 3u; }
    do { x += 5u; if (x % 3u == 0u) return; } while (x < 20u);
  )");
  CAPTURE(code);
  CHECK_EQ(count(code, "mask"), 0);
  CHECK_EQ(count(code, "exit_to"), 0);
}

TEST_CASE("uniform conditions compute no mask") {
  check_mask_is_only_passed_on(translated("uint f(uint y) { return subgroupAdd(y) + subgroupInclusiveAdd(y); }\n", R"(
    if (constants.count > 3u) x += subgroupAdd(x); else x += f(x);
    if (gl_WorkGroupID.x == 0u && gl_SubgroupID > 1u) x += f(x);
    for (uint i = 0u; i < constants.count; ++i) { if ((constants.flags >> i & 1u) != 0u) continue; x += f(i); }
    for (uint i = 0u; i < 4u; ++i) { x += subgroupMax(x); if (i == constants.flags) break; x ^= subgroupMin(x); }
    switch (constants.flags) { case 0u: x += subgroupAdd(1u); case 1u: x += subgroupAdd(2u); break; default: x += f(3u); }
    if (subgroupAny(x == 3u)) x += subgroupAdd(x);
    while (subgroupMax(x) > 1000u) x = subgroupExclusiveAdd(x % 3u);
    if (constants.count == 7u) return;
    x += subgroupAdd(x);
  )"));
}

TEST_CASE("lanes that diverge without a subgroup operation, and reconverge before the next one, need no mask") {
  check_mask_is_only_passed_on(
      translated("uint f(uint y) { if (y % 3u == 0u) return 1u; while (y > 5u) y /= 2u; return y; }\n", R"(
    x += subgroupAdd(x);
    if (x % 2u == 0u) x += 1u; else x += f(x);
    x += subgroupAdd(x);
    for (uint i = 0u; i < x % 7u; ++i) { if (i == 3u) continue; if (x == 99u) break; x += i; }
    x += subgroupAdd(x);
    switch (x % 4u) { case 0u: x += 1u; case 1u: if (x > 5u) break; x += 2u; default: x += 3u; }
    x += subgroupAdd(x);
    for (uint i = 0u; i < constants.count; ++i) { if (x % 5u == i) x += 2u; x += subgroupAdd(x); }
    if (x % 2u == 0u) return;
  )"));
}

TEST_CASE("only divergence around a subgroup operation computes masks") {
  const std::string code = translated("", R"(
    if (constants.count > 3u) { if (x % 2u == 0u) x += subgroupAdd(x); }
    if (x % 2u == 0u) x += 1u;
    x += subgroupAdd(x);
  )");
  CAPTURE(code);
  CHECK_EQ(count(code, "weft_ballot_mask"), 1);
  CHECK_EQ(count(code, "mask = taken_"), 1);
  CHECK_EQ(count(code, "exit_to"), 0);
}

TEST_CASE("storage buffers of SPIR-V 1.0, like later ones, may change between the loads of two lanes") {
  const Spirv early = first_word_decides("Uniform", "BufferBlock"), late = first_word_decides("StorageBuffer", "Block");
  validate_spirv(early);
  validate_spirv(late);
  CHECK_EQ(count(translated(late), "weft_ballot_mask"), 1);
  CHECK_EQ(translated(early), translated(late));
}
