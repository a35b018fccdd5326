#include <algorithm>

#include <weft/glsl.h>
#include <weft/translate.h>

#include "tests/support/errors.h"
#include "tests/support/test.h"
#include "tests/translate/compile.h"

// Code that the translator does not support is an error that names it, never a different program.

using namespace weft;
using namespace weft::test;

namespace {

void check_refused(const Spirv& module, const std::vector<std::string>& parts) {
  for (const auto target : {TranslationTarget::host, TranslationTarget::cuda, TranslationTarget::hip}) {
    check_error(ErrorCode::unsupported, parts, [&] { translate_spirv(module, target); });
  }
}

Spirv glsl(const std::string& declarations, const std::string& body) {
  return compile_glsl_to(5,
                         "#version 460\n#extension GL_EXT_ray_query : enable\n#extension GL_EXT_nonuniform_qualifier : "
                         "enable\nlayout(local_size_x = 1) in;\n"
                         "layout(set = 0, binding = 0, std430) buffer Result { uint words[]; } result;\n" +
                             declarations + "\nvoid main() { " + body + " }\n",
                         "refused.comp");
}

Spirv text(const std::string& text) { return assemble_kernel(5, text, "refused.spvasm", 1); }

}  // namespace

TEST_CASE("images, samplers and ray queries are refused by name") {
  check_refused(glsl("layout(set = 0, binding = 1, r32ui) uniform uimage2D picture;",
                     "imageStore(picture, ivec2(0), uvec4(result.words[0]));"),
                {"refused.comp", "picture"});
  check_refused(glsl("layout(set = 0, binding = 1) uniform sampler2D colors;",
                     "result.words[0] = uint(textureLod(colors, vec2(0.5), 0.0).x);"),
                {"colors"});
  check_refused(glsl("layout(set = 0, binding = 1, r32ui) uniform uimageBuffer texels;",
                     "result.words[0] = imageLoad(texels, 3).x;"),
                {"texels"});
  check_refused(glsl("layout(set = 0, binding = 1) uniform accelerationStructureEXT scene;",
                     "rayQueryEXT query; rayQueryInitializeEXT(query, scene, 0u, 0xffu, vec3(0.0), 0.0, vec3(1.0), "
                     "1.0); result.words[0] = uint(rayQueryProceedEXT(query));"),
                {"refused.comp", "RayQuery"});
}

TEST_CASE("arrays of buffers without a size are refused by name") {
  check_refused(glsl("layout(set = 0, binding = 1, std430) buffer Many { uint v[]; } many[];",
                     "result.words[0] = many[nonuniformEXT(result.words[1])].v[0];"),
                {"many", "without a size"});
}

TEST_CASE("the length of one of several buffers that a pointer may point to is refused") {
  check_refused(text(R"(
      OpCapability VariablePointers
      OpDecorate %other DescriptorSet 0
      OpDecorate %other Binding 5
      %other = OpVariable %ptr_words StorageBuffer
      %odd_bit = OpBitwiseAnd %uint %u1 %c1
      %odd = OpIEqual %bool %odd_bit %c1
      %chosen = OpSelect %ptr_words %odd %given %other
      %n = OpArrayLength %uint %chosen 0
      put %n)"),
                {"OpArrayLength", "several buffers"});
}

TEST_CASE("matrices whose layout is not known from the pointer are refused") {
  const std::string matrices = R"(
      OpCapability VariablePointers
      OpMemberDecorate %block 0 Offset 0
      OpMemberDecorate %block 0 MatrixStride 16
      OpMemberDecorate %block 0 RowMajor
      OpMemberDecorate %block 1 Offset 64
      OpMemberDecorate %block 1 MatrixStride 16
      OpMemberDecorate %block 1 ColMajor
      OpDecorate %block Block
      OpDecorate %source DescriptorSet 0
      OpDecorate %source Binding 5
      %matrix = OpTypeMatrix %v3float 3
      %block = OpTypeStruct %matrix %matrix
      %ptr_block = OpTypePointer StorageBuffer %block
      %ptr_matrix = OpTypePointer StorageBuffer %matrix
      %ptr_column = OpTypePointer StorageBuffer %v3float
      %ptr_float = OpTypePointer StorageBuffer %float
      %source = OpVariable %ptr_block StorageBuffer
      %odd_bit = OpBitwiseAnd %uint %u1 %c1
      %odd = OpIEqual %bool %odd_bit %c1
)";
  check_refused(text(matrices + R"(
      %a = OpAccessChain %ptr_matrix %source %c0
      %b = OpAccessChain %ptr_matrix %source %c1
      %chosen = OpSelect %ptr_matrix %odd %a %b
      %at = OpAccessChain %ptr_float %chosen %c1 %c2
      %x = OpLoad %float %at
      putf %x)"),
                {"OpAccessChain", "laid out differently"});
  check_refused(text(matrices + R"(
      %ptr_ptr = OpTypePointer Function %ptr_column
      %kept = OpVariable %ptr_ptr Function
      %a = OpAccessChain %ptr_column %source %c0 %c1
      OpStore %kept %a
      %again = OpLoad %ptr_column %kept
      %x = OpLoad %v3float %again
      %x0 = OpCompositeExtract %float %x 0
      putf %x0)"),
                {"OpStore", "column of a row-major"});
}

TEST_CASE("modes that change arithmetic are refused by name") {
  check_refused(text("OpCapability RoundingModeRTZ\nOpExtension \"SPV_KHR_float_controls\"\nOpExecutionMode %main "
                     "RoundingModeRTZ 32\nputf %r0"),
                {"RoundingModeRTZ"});
  check_refused(text("OpCapability DenormFlushToZero\nOpExtension \"SPV_KHR_float_controls\"\nOpExecutionMode %main "
                     "DenormFlushToZero 32\nputf %r0"),
                {"DenormFlushToZero"});
}

TEST_CASE("atomics on an invocation's own variables are refused by name") {
  CHECK_THROWS_AS(
      translate_spirv(
          text("%v = OpVariable %ptr_uint_function Function\n%x = OpAtomicIAdd %uint %v %c1 %c0 %c1\nput %x"),
          TranslationTarget::host),
      Error);
}

TEST_CASE("workgroups of no invocations, and of more than an int can count, are refused") {
  for (const auto& [size, text] : {std::pair("65536, local_size_y = 65536", "65536x65536x1"),
                                   std::pair("65536, local_size_y = 32768", "65536x32768x1")}) {
    const Spirv module =
        compile_glsl(std::string("#version 450\nlayout(local_size_x = ") + size + ") in;\nvoid main() {}\n");
    for (const auto target : {TranslationTarget::host, TranslationTarget::cuda, TranslationTarget::hip}) {
      check_error(ErrorCode::invalid_argument, {"workgroup", text}, [&] { translate_spirv(module, target); });
    }
  }
}
