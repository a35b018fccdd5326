#include "tests/conformance/step.h"

using namespace weft;
using namespace weft::test;

namespace {

const char* const two_entries = R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %first "first" %target
               OpEntryPoint GLCompute %second "second" %target
               OpExecutionMode %first LocalSize 1 1 1
               OpExecutionMode %second LocalSize 2 1 1
               OpName %target "target"
               OpDecorate %words ArrayStride 4
               OpDecorate %block Block
               OpMemberDecorate %block 0 Offset 0
               OpDecorate %target DescriptorSet 0
               OpDecorate %target Binding 0
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %uint = OpTypeInt 32 0
          %zero = OpConstant %uint 0
           %one = OpConstant %uint 1
         %eleven = OpConstant %uint 11
         %twentytwo = OpConstant %uint 22
      %words = OpTypeRuntimeArray %uint
      %block = OpTypeStruct %words
  %block_ptr = OpTypePointer StorageBuffer %block
   %uint_ptr = OpTypePointer StorageBuffer %uint
     %target = OpVariable %block_ptr StorageBuffer
      %first = OpFunction %void None %fn
    %first_l = OpLabel
    %first_p = OpAccessChain %uint_ptr %target %zero %zero
               OpStore %first_p %eleven
               OpReturn
               OpFunctionEnd
     %second = OpFunction %void None %fn
   %second_l = OpLabel
   %second_p = OpAccessChain %uint_ptr %target %zero %zero
               OpAtomicStore %second_p %one %zero %twentytwo
               OpReturn
               OpFunctionEnd
)";

}  // namespace

DEVICE_TEST("a module may have several entry points") {
  const Spirv module = assemble_spirv(two_entries, "two_entries");
  Stream stream = device.stream();
  const Buffer<uint32_t> target = device.buffer<uint32_t>(1);
  KernelOptions options;
  for (const auto& [entry, value, size] : {std::tuple("first", 11u, 1u), std::tuple("second", 22u, 2u)}) {
    options.entry = entry;
    const Kernel kernel = device.kernel(module, options);
    CHECK_EQ(kernel.reflection().entry, entry);
    CHECK_EQ(kernel.workgroup_size()[0], size);
    stream.fill(target, 0xa5a5a5a5);
    stream.dispatch(kernel, {}, Arguments().bind(0, 0, target));
    CHECK_EQ(stream.download(target).at(0), value);
  }
  check_error(ErrorCode::invalid_argument, {"main", "first", "second"}, [&] { device.kernel(module); });
}

DEVICE_TEST("a kernel knows its name and interface") {
  const Kernel affine = device.kernel(kernels::affine());
  CHECK(affine.name().find("affine") != std::string::npos);
  CHECK(bool(affine));
  CHECK_FALSE(bool(Kernel()));
  CHECK_EQ(affine.reflection().push_constant_bytes, sizeof(AffineBlock));
  CHECK((affine.workgroup_size() == std::array<uint32_t, 3>{64, 1, 1}));
}

DEVICE_TEST("invalid SPIR-V is refused with the validator's message") {
  Spirv module = kernels::affine();
  module.name = "broken.spv";
  SUBCASE("cut off") {
    module.words.resize(module.words.size() - 7);
    check_error(ErrorCode::compile_failed, {"broken.spv"}, [&] { device.kernel(module); });
  }
  SUBCASE("a type that nothing defines") {
    const std::string text =
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %f \"main\"\n"
        "OpExecutionMode %f LocalSize 1 1 1\n%v = OpTypeVoid\n%t = OpTypeFunction %v\n%f = OpFunction %v None %t\n"
        "%l = OpLabel\n%x = OpIAdd %missing %one %one\nOpReturn\nOpFunctionEnd\n";
    const Spirv bad = assemble_spirv(text, "broken.spv");
    const Error error = check_error(ErrorCode::compile_failed, {"broken.spv"}, [&] { device.kernel(bad); });
    CHECK_FALSE(error.log().empty());
  }
  SUBCASE("a layout that is out of order") {
    std::string text = two_entries;
    const std::string capability = "OpCapability Shader\n";
    text.erase(text.find(capability), capability.size());
    const Spirv bad = assemble_spirv(text, "broken.spv");
    const Error error = check_error(ErrorCode::compile_failed, {"broken.spv"}, [&] { device.kernel(bad); });
    INFO(error.log());
    CHECK(lower(error.log()).find("capabilities: shader") != std::string::npos);
  }
  SUBCASE("nothing at all") {
    check_error(ErrorCode::compile_failed, {}, [&] { device.kernel(Spirv{{}, "broken.spv"}); });
  }
  SUBCASE("random words behind a right header") {
    std::mt19937_64 generator = random_generator("random words");
    for (int i = 0; i < 100; ++i) {
      Spirv bad{{module.words.begin(), module.words.begin() + 5}, "broken.spv"};
      for (int w = 0; w < 50; ++w) bad.words.push_back(uint32_t(generator()));
      check_error(ErrorCode::compile_failed, {"broken.spv"}, [&] { device.kernel(bad); });
    }
  }
  SUBCASE("flipped words: an error or a kernel, but no crash") {
    std::mt19937_64 generator = random_generator("flipped words");
    for (int i = 0; i < 200; ++i) {
      Spirv bad = kernels::affine();
      bad.words[5 + generator() % (bad.words.size() - 5)] = uint32_t(generator() % 64);
      try {
        reflect(bad);
        validate_spirv(bad);
      } catch (const Error& error) {
        CHECK_FALSE(std::string(error.what()).empty());
      }
    }
  }
}

DEVICE_TEST("GLSL that does not compile is refused with file and line") {
  const std::string source =
      "#version 460\nlayout(local_size_x = 1) in;\nvoid main() {\n  uint x = nothing_of_that_name;\n}\n";
  const Error error = check_error(ErrorCode::compile_failed, {}, [&] { device.kernel_from_glsl(source); });
  CHECK(error.log().find(":4:") != std::string::npos);
  CHECK(error.log().find("nothing_of_that_name") != std::string::npos);
}

DEVICE_TEST("a kernel that needs missing capabilities is unsupported, with their list") {
  // Capabilities, their extensions, and a use of each; few devices have all of them.
  struct Case {
    uint32_t number;
    const char *name, *extension, *type, *code;
  };
  const Case cases[] = {
      {11, "Int64", "", "%long = OpTypeInt 64 0\n", ""},
      {10, "Float64", "", "%double = OpTypeFloat 64\n", ""},
      {9, "Float16", "", "%half = OpTypeFloat 16\n", ""},
      {5055, "ShaderClockKHR", "SPV_KHR_shader_clock", "", "%t = OpReadClockKHR %v2 %subgroup\n"},
      {4472, "RayQueryKHR", "SPV_KHR_ray_query", "%query = OpTypeRayQueryKHR\n", ""},
      {62, "GroupNonUniformVote", "", "", "%e = OpGroupNonUniformAll %bool %subgroup %true\n"},
  };
  std::vector<std::string> lacking;
  std::string capabilities, extensions, types, code;
  for (const Case& c : cases) {
    if (device.info().capabilities.contains(c.number)) continue;
    lacking.push_back(c.name);
    capabilities += std::string("OpCapability ") + c.name + "\n";
    if (*c.extension != '\0') extensions += std::string("OpExtension \"") + c.extension + "\"\n";
    types += c.type;
    code += c.code;
  }
  if (lacking.empty()) unsupported("has every capability that this test knows");
  const std::string text =
      "OpCapability Shader\n" + capabilities + extensions +
      "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %f \"main\"\nOpExecutionMode %f LocalSize 1 1 1\n"
      "%v = OpTypeVoid\n%fn = OpTypeFunction %v\n%bool = OpTypeBool\n%true = OpConstantTrue %bool\n"
      "%uint = OpTypeInt 32 0\n%v2 = OpTypeVector %uint 2\n%subgroup = OpConstant %uint 3\n" +
      types + "%f = OpFunction %v None %fn\n%l = OpLabel\n" + code + "OpReturn\nOpFunctionEnd\n";
  const Spirv module = assemble_spirv(text, "greedy");
  check_error(ErrorCode::unsupported, lacking, [&] { device.kernel(module); });
  CHECK_EQ(missing_capabilities(reflect(module), device.info().capabilities).size(), lacking.size());
}

DEVICE_TEST("GLSL with types that the device lacks is unsupported, and with types that it has computes correctly") {
  struct Case {
    const char* type;
    bool supported;
    const char* capability;
  };
  const DeviceFeatures& features = device.info().features;
  for (const Case& c : {Case{"int64_t", features.int64, "Int64"}, Case{"float64_t", features.float64, "Float64"},
                        Case{"int16_t", features.int16, "Int16"}, Case{"int8_t", features.int8, "Int8"},
                        Case{"float16_t", features.float16, "Float16"}}) {
    INFO("type: ", c.type);
    const std::string source = std::string(R"(#version 460
      #extension GL_EXT_shader_explicit_arithmetic_types : require
      layout(local_size_x = 1) in;
      layout(push_constant) uniform Push { uint a, b; } push;
      layout(set = 0, binding = 0, std430) buffer target_block { uint v[]; } target;
      void main() { target.v[0] = uint(T(push.a) * T(push.b) - T(3)); })");
    std::string typed = source;
    for (size_t at = typed.find("T("); at != std::string::npos; at = typed.find("T(", at + 8))
      typed.replace(at, 1, c.type);
    if (!c.supported) {
      check_error(ErrorCode::unsupported, {c.capability}, [&] { device.kernel_from_glsl(typed); });
      continue;
    }
    Stream stream = device.stream();
    const Buffer<uint32_t> target = device.buffer<uint32_t>(1);
    stream.fill(target, 0xa5a5a5a5);
    const std::array<uint32_t, 2> push{7, 9};
    stream.dispatch(device.kernel_from_glsl(typed), {}, Arguments(push).bind(0, 0, target));
    CHECK_EQ(stream.download(target).at(0), 60);
  }
}
