#include <weft/spirv.h>

#include <algorithm>

#include <weft/glsl.h>
#include <weft/kernel.h>

#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

namespace {

const char* const minimal = R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main"
               OpExecutionMode %main LocalSize 8 4 2
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %main = OpFunction %void None %fn
      %start = OpLabel
               OpReturn
               OpFunctionEnd
)";

std::vector<std::byte> bytes_of(const Spirv& module) {
  const auto bytes = std::as_bytes(std::span(module.words));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("modules are read from bytes of either order") {
  const Spirv module = assemble_spirv(minimal, "minimal");
  std::vector<std::byte> bytes = bytes_of(module);
  CHECK((spirv_from_bytes(bytes, "same").words == module.words));
  CHECK_EQ(spirv_from_bytes(bytes, "same").name, "same");
  for (size_t i = 0; i < bytes.size(); i += 4) std::reverse(bytes.begin() + long(i), bytes.begin() + long(i) + 4);
  CHECK((spirv_from_bytes(bytes, "swapped").words == module.words));
}

TEST_CASE("bytes that are not a module are errors with the reason") {
  const std::vector<std::byte> bytes = bytes_of(assemble_spirv(minimal, "minimal"));
  const auto check = [](std::vector<std::byte> bad) {
    check_error(ErrorCode::invalid_argument, {"file.spv"}, [&] { spirv_from_bytes(bad, "file.spv"); });
  };
  check({});
  check({bytes.begin(), bytes.begin() + 3});
  check({bytes.begin(), bytes.begin() + 19});
  check({bytes.begin(), bytes.end() - 1});
  check(std::vector<std::byte>(400));
  std::vector<std::byte> wrong = bytes;
  wrong[1] = std::byte(0x42);
  check(wrong);
}

TEST_CASE("text is assembled to a module and disassembled to text") {
  const Spirv module = assemble_spirv(minimal, "minimal");
  validate_spirv(module);
  const std::string text = disassemble_spirv(module);
  CHECK(text.find("OpEntryPoint GLCompute") != std::string::npos);
  const Spirv again = assemble_spirv(text, "again");
  CHECK_EQ(disassemble_spirv(again), text);
}

TEST_CASE("text is assembled for the version in its heading") {
  Spirv module = assemble_spirv(minimal, "minimal");
  CHECK_EQ(module.words[1], 0x00010600);
  for (uint32_t minor = 0; minor <= 6; ++minor) {
    module.words[1] = 0x00010000 | minor << 8;
    CHECK((assemble_spirv(disassemble_spirv(module), "again").words == module.words));
  }
}

namespace {

// Two storage buffers on binding 0.0 in the form of SPIR-V 1.0; the first is read-only. `use` is part of the entry
// point.
std::string two_buffers(const std::string& source, const std::string& use) {
  return R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    OpSource )" +
         source + R"(
    OpName %x "x"
    OpName %y "y"
    OpDecorate %words ArrayStride 4
    OpMemberDecorate %read 0 Offset 0
    OpMemberDecorate %read 0 NonWritable
    OpDecorate %read BufferBlock
    OpMemberDecorate %written 0 Offset 0
    OpDecorate %written BufferBlock
    OpDecorate %x DescriptorSet 0
    OpDecorate %x Binding 0
    OpDecorate %y DescriptorSet 0
    OpDecorate %y Binding 0
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %words = OpTypeRuntimeArray %uint
    %read = OpTypeStruct %words
    %written = OpTypeStruct %words
    %read_pointer = OpTypePointer Uniform %read
    %written_pointer = OpTypePointer Uniform %written
    %x = OpVariable %read_pointer Uniform
    %y = OpVariable %written_pointer Uniform
    %main = OpFunction %void None %function
    %start = OpLabel
    )" + use +
         "OpReturn\nOpFunctionEnd\n";
}

}  // namespace

TEST_CASE("text with BufferBlock is assembled for a version that has it") {
  const Spirv module = assemble_spirv(two_buffers("GLSL 450", ""), "blocks");
  CHECK_EQ(module.words[1], 0x00010300);
  validate_spirv(module);
}

TEST_CASE("variables on one binding are views of one buffer, except HLSL's read-only and writable ones") {
  using Kind = Reflection::BindingKind;
  const std::string x = "%n = OpArrayLength %uint %x 0\n", y = "%m = OpArrayLength %uint %y 0\n";
  const auto binding = [](const std::string& text) {
    const Reflection reflection = reflect(assemble_spirv(text, "shared"));
    REQUIRE_EQ(reflection.bindings.size(), 1);
    return reflection.bindings[0];
  };
  const Reflection::Binding glsl = binding(two_buffers("GLSL 450", x + y)),
                            hlsl = binding(two_buffers("HLSL 600", x + y));
  CHECK((glsl.kind == Kind::storage_buffer));
  CHECK((hlsl.kind == Kind::conflicting));
  CHECK_EQ(hlsl.name, "x, y");
  // Variables that the entry point does not use do not matter.
  for (const auto& [use, name] : {std::pair(x, "x"), std::pair(y, "y")}) {
    const Reflection::Binding one = binding(two_buffers("HLSL 600", use));
    CHECK((one.kind == Kind::storage_buffer));
    CHECK_EQ(one.name, name);
  }
}

TEST_CASE("text that does not assemble is an error with line and column") {
  const Error error = check_error(ErrorCode::compile_failed, {"bad.spvasm:2:"},
                                  [] { assemble_spirv("OpCapability Shader\nOpNonsense %a\n", "bad.spvasm"); });
  CHECK(error.log().find("2:") != std::string::npos);
  check_error(ErrorCode::compile_failed, {"bad.spvasm"}, [] { assemble_spirv("\x01\x02", "bad.spvasm"); });
}

TEST_CASE("an invalid module is refused with the validator's message") {
  std::string text = minimal;
  text.replace(text.find("OpReturn"), 8, "OpNop   ");
  const Spirv module = assemble_spirv(text, "no_return");
  const Error error = check_error(ErrorCode::compile_failed, {"no_return"}, [&] { validate_spirv(module); });
  CHECK_FALSE(error.log().empty());
  check_error(ErrorCode::compile_failed, {"no_return"}, [&] { reflect(module); });
}

TEST_CASE("a specialization constant that is quantized must be a 32-bit float") {
  const auto quantized = [](const std::string& type, const std::string& value) {
    return assemble_spirv(R"(
                 OpCapability Shader
                 OpCapability Float64
                 OpMemoryModel Logical GLSL450
                 OpEntryPoint GLCompute %main "main"
                 OpExecutionMode %main LocalSize 1 1 1
                 OpDecorate %constant SpecId 0
         %void = OpTypeVoid
     %function = OpTypeFunction %void
         %type = OpTypeFloat )" +
                              type + R"(
     %constant = OpSpecConstant %type )" +
                              value + R"(
    %quantized = OpSpecConstantOp %type QuantizeToF16 %constant
         %main = OpFunction %void None %function
        %label = OpLabel
                 OpReturn
                 OpFunctionEnd)",
                          "quantized");
  };
  validate_spirv(quantized("32", "1.5"));
  check_error(ErrorCode::compile_failed, {"is an OpQuantizeToF16 that does not take and return a 32-bit float"},
              [&] { validate_spirv(quantized("64", "1.5")); });
}
TEST_CASE("reflection has the workgroup size, and the constants that set it") {
  const Reflection literal = reflect(assemble_spirv(minimal, "minimal"));
  CHECK((literal.workgroup_size == std::array<uint32_t, 3>{8, 4, 2}));
  CHECK((literal.workgroup_size_ids == std::array<uint32_t, 3>{~0u, ~0u, ~0u}));
  const Reflection specialized =
      reflect(compile_glsl("#version 460\nlayout(local_size_x_id = 7, local_size_y = 3, local_size_z_id = 2) in;\n"
                           "void main() {}\n"));
  CHECK((specialized.workgroup_size_ids == std::array<uint32_t, 3>{7, ~0u, 2}));
  CHECK_EQ(specialized.workgroup_size[1], 3);
}

TEST_CASE("reflection has push constants, with buffer references and their alignment") {
  const Reflection reflection = reflect(compile_glsl(R"(#version 460
    #extension GL_EXT_buffer_reference : require
    #extension GL_EXT_scalar_block_layout : require
    #extension GL_EXT_shader_explicit_arithmetic_types : require
    layout(local_size_x = 1) in;
    layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint v[]; };
    layout(push_constant, scalar) uniform Push {
      Words words;
      uint count;
      float factor;
      uvec3 at;
      uint64_t wide;
    } push;
    void main() { push.words.v[push.count] = uint(push.factor) + push.at.x + uint(push.wide); })"));
  // wide is at offset 32: the scalar layout aligns it to 8.
  CHECK_EQ(reflection.push_constant_bytes, 40);
  REQUIRE_EQ(reflection.push_constants.size(), 5);
  const auto check = [&](size_t i, const char* name, uint32_t offset, uint32_t bytes, const char* type,
                         uint32_t align) {
    const Reflection::Member& member = reflection.push_constants[i];
    CHECK_EQ(member.name, name);
    CHECK_EQ(member.offset, offset);
    CHECK_EQ(member.bytes, bytes);
    CHECK_EQ(member.type, type);
    CHECK_EQ(member.pointee_align, align);
  };
  check(0, "words", 0, 8, "buffer reference", 4);
  check(1, "count", 8, 4, "uint", 0);
  check(2, "factor", 12, 4, "float", 0);
  check(3, "at", 16, 12, "uvec3", 0);
  check(4, "wide", 32, 8, "uint64_t", 0);
}

TEST_CASE("reflection has bindings") {
  const Reflection reflection = reflect(compile_glsl(R"(#version 460
    layout(local_size_x = 1) in;
    layout(set = 1, binding = 4, std430) buffer values_block { uvec4 head; vec2 tail[]; } values;
    layout(set = 0, binding = 2, std140) uniform numbers_block { mat4 m; uint n; } numbers;
    layout(set = 0, binding = 3, std430) buffer many_block { uint v[8]; } many[5];
    void main() { values.tail[0].x = numbers.m[0].x + float(numbers.n) + float(many[2].v[1]) + float(values.head.x); })"));
  REQUIRE_EQ(reflection.bindings.size(), 3);
  const auto find = [&](uint32_t set, uint32_t binding) {
    const auto found = std::find_if(reflection.bindings.begin(), reflection.bindings.end(),
                                    [&](const auto& b) { return b.set == set && b.binding == binding; });
    REQUIRE((found != reflection.bindings.end()));
    return *found;
  };
  const Reflection::Binding values = find(1, 4), numbers = find(0, 2), many = find(0, 3);
  CHECK((values.kind == Reflection::BindingKind::storage_buffer));
  CHECK((numbers.kind == Reflection::BindingKind::uniform_buffer));
  CHECK((many.kind == Reflection::BindingKind::storage_buffer));
  CHECK_EQ(values.min_bytes, 16);
  CHECK_EQ(values.array_stride, 8);
  CHECK_EQ(values.count, 1);
  CHECK_EQ(numbers.min_bytes, 68);
  CHECK_EQ(numbers.array_stride, 0);
  CHECK_EQ(many.count, 5);
  CHECK_EQ(many.min_bytes, 32);
  CHECK(values.name.find("values") != std::string::npos);
  CHECK(numbers.name.find("numbers") != std::string::npos);
}

TEST_CASE("reflection has specialization constants") {
  const Reflection reflection = reflect(compile_glsl(R"(#version 460
    #extension GL_EXT_shader_explicit_arithmetic_types : require
    layout(local_size_x = 1) in;
    layout(constant_id = 3) const uint number = 42;
    layout(constant_id = 9) const bool yes = true;
    layout(constant_id = 1) const float half_ = 0.5;
    layout(constant_id = 2) const int64_t wide = -2;
    layout(set = 0, binding = 0) buffer out_block { float v[]; } target;
    void main() { target.v[0] = yes ? float(number) : half_ + float(wide); })"));
  REQUIRE_EQ(reflection.specializations.size(), 4);
  const auto check = [&](uint32_t id, const char* name, const char* type, uint32_t bytes, uint64_t bits) {
    for (const Reflection::Specialization& constant : reflection.specializations) {
      if (constant.id != id) continue;
      CHECK_EQ(constant.name, name);
      CHECK_EQ(constant.type, type);
      CHECK_EQ(constant.bytes, bytes);
      CHECK_EQ(constant.default_bits, bits);
      return;
    }
    FAIL_CHECK("no specialization constant " << id);
  };
  check(3, "number", "uint", 4, 42);
  check(9, "yes", "bool", 4, 1);
  check(1, "half_", "float", 4, 0x3f000000);
  check(2, "wide", "int64_t", 8, ~uint64_t(0) - 1);
}

TEST_CASE("reflection has capabilities, and finds those that are missing") {
  const Reflection reflection = reflect(compile_glsl(R"(#version 460
    #extension GL_EXT_shader_explicit_arithmetic_types : require
    #extension GL_KHR_shader_subgroup_arithmetic : require
    layout(local_size_x = 1) in;
    layout(set = 0, binding = 0) buffer out_block { uint v[]; } target;
    void main() { target.v[0] = subgroupAdd(uint(uint64_t(target.v[1]) >> 3)); })"));
  const auto has = [&](uint32_t capability) {
    return std::find(reflection.capabilities.begin(), reflection.capabilities.end(), capability) !=
           reflection.capabilities.end();
  };
  CHECK(has(1));   // Shader
  CHECK(has(11));  // Int64
  CHECK(has(63));  // GroupNonUniformArithmetic
  std::set<uint32_t> supported(reflection.capabilities.begin(), reflection.capabilities.end());
  CHECK(missing_capabilities(reflection, supported).empty());
  supported.erase(11);
  CHECK((missing_capabilities(reflection, supported) == std::vector<std::string>{"Int64"}));
}

TEST_CASE("reflection finds subgroup operations in divergent flow") {
  const auto divergent = [](const std::string& body) {
    return reflect(compile_glsl(R"(#version 460
      #extension GL_KHR_shader_subgroup_arithmetic : require
      layout(local_size_x = 64) in;
      layout(set = 0, binding = 0) buffer out_block { uint v[]; } target;
      uint total(uint x) { return subgroupAdd(x); }
      void main() { uint x = target.v[gl_LocalInvocationIndex]; )" +
                                body + " target.v[gl_LocalInvocationIndex] = x; }"))
        .divergent_subgroup_operations;
  };
  CHECK_FALSE(divergent("x += 1;"));
  CHECK_FALSE(divergent("x = subgroupAdd(x);"));
  CHECK_FALSE(divergent("if (x > 3) x = 7; x = total(x);"));
  CHECK(divergent("if (x > 3) x = subgroupAdd(x);"));
  CHECK(divergent("for (uint i = 0; i < x; ++i) x += subgroupAdd(i);"));
  CHECK(divergent("if (x > 3) x = total(x);"));
}

TEST_CASE("a missing entry point is an error that names the existing ones") {
  const Spirv module = assemble_spirv(minimal, "minimal");
  check_error(ErrorCode::invalid_argument, {"start", "main"}, [&] { reflect(module, "start"); });
}

TEST_CASE("error codes have their names") {
  CHECK_EQ(std::string(to_string(ErrorCode::invalid_argument)), "invalid_argument");
  CHECK_EQ(std::string(to_string(ErrorCode::unsupported)), "unsupported");
  CHECK_EQ(std::string(to_string(ErrorCode::out_of_memory)), "out_of_memory");
  CHECK_EQ(std::string(to_string(ErrorCode::compile_failed)), "compile_failed");
  CHECK_EQ(std::string(to_string(ErrorCode::timeout)), "timeout");
  CHECK_EQ(std::string(to_string(ErrorCode::device_lost)), "device_lost");
  CHECK_EQ(std::string(to_string(ErrorCode::io_failed)), "io_failed");
}
