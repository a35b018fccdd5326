#include "tests/conformance/step.h"

using namespace weft;
using namespace weft::test;

namespace {

/// A kernel that stores one specialization constant of GLSL type `type`, whose default is `initial`.
std::string source_of(const std::string& type, const std::string& initial) {
  return R"(#version 460
    #extension GL_EXT_shader_explicit_arithmetic_types : require
    #extension GL_EXT_shader_16bit_storage : require
    #extension GL_EXT_shader_8bit_storage : require
    layout(local_size_x = 1) in;
    layout(constant_id = 5) const )" +
         type + " value = " + type + "(" + initial + R"();
    layout(set = 0, binding = 0, std430) buffer target_block { )" +
         (type == "bool" ? "uint" : type) + R"( v[]; } target;
    void main() { target.v[0] = )" +
         (type == "bool" ? "value ? 1 : 0" : "value") + "; }";
}

/// Checks that the kernel stores the default and each of `values`. Stored is the type of a T in the buffer.
template <typename T, typename Stored = T>
void check_specialization(const Device& device, const std::string& type, T initial, const std::vector<T>& values) {
  const std::string text = std::is_same_v<T, bool> ? (initial ? "true" : "false") : std::to_string(initial);
  const std::string source = source_of(type, text);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("specialization " + type);
  const auto run = [&](const KernelOptions& options) {
    const Kernel kernel = device.kernel_from_glsl(source, options);
    const Guarded<Stored> target(device, stream, 4 / sizeof(Stored) + 1, generator);
    stream.dispatch(kernel, {}, Arguments().bind(0, 0, target.view()));
    return target.read(stream).at(0);
  };
  INFO("type: ", type);
  CHECK_EQ(run({}), Stored(initial));
  for (const T value : values) CHECK_EQ(run(KernelOptions().specialize(5, value)), Stored(value));
}

}  // namespace

DEVICE_TEST("specialization constants of 32 bits and bool") {
  check_specialization<uint32_t>(device, "uint", 7, {0, 1, 0x80000000u, 0xffffffffu});
  check_specialization<int32_t>(device, "int", -7, {0, -1, INT32_MIN, INT32_MAX});
  check_specialization<float>(device, "float", 0.25f, {-1.5f, 1e30f, 0.0f});
  check_specialization<bool, uint32_t>(device, "bool", true, {false, true});
  check_specialization<bool, uint32_t>(device, "bool", false, {false, true});
}

DEVICE_TEST("specialization constants of 64-bit integers") {
  if (!device.info().features.int64) unsupported("no 64-bit integers");
  check_specialization<uint64_t>(device, "uint64_t", 7, {0, 0x123456789abcdef0, ~uint64_t(0)});
  check_specialization<int64_t>(device, "int64_t", -7, {0, INT64_MIN, INT64_MAX});
}

DEVICE_TEST("specialization constants of double") {
  if (!device.info().features.float64) unsupported("no 64-bit floating point");
  check_specialization<double>(device, "double", 0.125, {-1e300, 0.1, 0.0});
}

DEVICE_TEST("specialization constants of 16 bits") {
  const DeviceFeatures& features = device.info().features;
  if (!features.int16 || !features.storage16) unsupported("no 16-bit integers in buffers");
  check_specialization<uint16_t>(device, "uint16_t", 7, {0, 0x8001, 0xffff});
  check_specialization<int16_t>(device, "int16_t", -7, {0, -32768, 32767});
}

DEVICE_TEST("specialization constants of 8 bits") {
  const DeviceFeatures& features = device.info().features;
  if (!features.int8 || !features.storage8) unsupported("no 8-bit integers in buffers");
  check_specialization<uint8_t>(device, "uint8_t", 7, {0, 0x81, 0xff});
  check_specialization<int8_t>(device, "int8_t", -7, {0, -128, 127});
}

DEVICE_TEST("specialization constants size arrays and take part in constant expressions") {
  const Kernel kernel = device.kernel_from_glsl(R"(#version 460
    layout(local_size_x_id = 3) in;
    layout(constant_id = 3) const uint width = 4;
    layout(constant_id = 4) const uint items = 2;
    const uint tile = width * items + 1;
    shared uint cells[tile];
    layout(set = 0, binding = 0, std430) buffer target_block { uint v[]; } target;
    void main() {
      uint lane = gl_LocalInvocationID.x;
      for (uint i = lane; i < tile; i += width) cells[i] = i;
      barrier();
      if (lane == 0) {
        uint sum = 0;
        for (uint i = 0; i < tile; ++i) sum += cells[i];
        target.v[0] = sum;
        target.v[1] = gl_WorkGroupSize.x;
      }
    })",
                                                KernelOptions().specialize(3, 32u).specialize(4, 5u));
  Stream stream = device.stream();
  const Buffer<uint32_t> target = device.buffer<uint32_t>(2);
  stream.fill(target, 0xa5a5a5a5);
  stream.dispatch(kernel, {}, Arguments().bind(0, 0, target));
  check_same(stream.download(target), {160 * 161 / 2, 32});
  CHECK_EQ(kernel.workgroup_size()[0], 32);
}

DEVICE_TEST("kernels of one module with different constants exist side by side") {
  const std::string source = source_of("uint", "1");
  Stream stream = device.stream();
  const Buffer<uint32_t> target = device.buffer<uint32_t>(1);
  std::vector<Kernel> kernels;
  for (uint32_t i = 0; i < 8; ++i)
    kernels.push_back(device.kernel_from_glsl(source, KernelOptions().specialize(5, i * 3)));
  for (uint32_t i = 0; i < 8; ++i) {
    stream.dispatch(kernels[i], {}, Arguments().bind(0, 0, target));
    CHECK_EQ(stream.download(target).at(0), i * 3);
  }
}

DEVICE_TEST("a missing specialization constant, or one of another size, is an error that names it") {
  const std::string source = source_of("uint", "1");
  check_error(ErrorCode::invalid_argument, {"specialization", "77", "5"},
              [&] { device.kernel_from_glsl(source, KernelOptions().specialize(77, 1u)); });
  check_error(ErrorCode::invalid_argument, {"specialization", "5", "value"},
              [&] { device.kernel_from_glsl(source, KernelOptions().specialize(5, uint64_t(1))); });
}

DEVICE_TEST("an array that becomes empty by specialization is an error") {
  const auto source = [](const std::string& type, const std::string& length) {
    return "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
           "layout(local_size_x = 32) in;\nlayout(constant_id = 1) const " +
           type + " n = " + type +
           "(4);\nlayout(set = 0, binding = 0) buffer Target { uint v[]; } target;\nshared uint s[" + length +
           "];\nvoid main() { s[gl_LocalInvocationIndex & 3] = 1; barrier(); target.v[gl_LocalInvocationIndex] = s[0]; "
           "}";
  };
  const auto check = [&](const std::string& glsl, const KernelOptions& options) {
    INFO(glsl);
    device.kernel_from_glsl(glsl);
    check_error(ErrorCode::invalid_argument, {"specialization constants"},
                [&] { device.kernel_from_glsl(glsl, options); });
  };
  check(source("uint", "n"), KernelOptions().specialize(1, 0u));
  check(source("int", "n"), KernelOptions().specialize(1, -1));
  check(source("uint", "n * 2 - 2"), KernelOptions().specialize(1, 1u));
  if (device.info().features.int64) check(source("int64_t", "int(n)"), KernelOptions().specialize(1, int64_t{0}));
}

// The validator's checks depend on more than lengths.
DEVICE_TEST("a part of an array that specialization cuts off is an error") {
  const Spirv module = assemble_spirv(R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %target
               OpExecutionMode %main LocalSize 1 1 1
               OpDecorate %n SpecId 1
               OpDecorate %block Block
               OpMemberDecorate %block 0 Offset 0
               OpDecorate %target DescriptorSet 0
               OpDecorate %target Binding 0
       %void = OpTypeVoid
   %function = OpTypeFunction %void
       %uint = OpTypeInt 32 0
          %n = OpSpecConstant %uint 4
         %u0 = OpConstant %uint 0
       %list = OpTypeArray %uint %n
      %local = OpTypePointer Function %list
      %block = OpTypeStruct %uint
    %pointer = OpTypePointer StorageBuffer %block
       %word = OpTypePointer StorageBuffer %uint
       %nothing = OpConstantNull %list
     %target = OpVariable %pointer StorageBuffer
       %main = OpFunction %void None %function
         %l0 = OpLabel
          %a = OpVariable %local Function %nothing
          %v = OpLoad %list %a
          %x = OpCompositeExtract %uint %v 3
          %p = OpAccessChain %word %target %u0
               OpStore %p %x
               OpReturn
               OpFunctionEnd)",
                                      "parts.spvasm");
  device.kernel(module);
  check_error(ErrorCode::invalid_argument, {"specialization constants", "parts.spvasm", "1 = 2"},
              [&] { device.kernel(module, KernelOptions().specialize(1, 2u)); });
}
