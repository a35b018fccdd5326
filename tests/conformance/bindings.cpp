#include "tests/conformance/step.h"
#include "tests/support/needs.h"

using namespace weft;
using namespace weft::test;

DEVICE_TEST("storage and uniform buffers are bound in several sets") {
  struct Uniforms {
    uint32_t factor, addend, unused[2];
  };
  const Kernel kernel = device.kernel_from_glsl(R"(#version 460
    layout(local_size_x = 64) in;
    layout(set = 0, binding = 1, std430) readonly buffer source_block { uint v[]; } source;
    layout(set = 2, binding = 0, std430) writeonly buffer target_block { uint v[]; } target;
    layout(set = 1, binding = 3, std140) uniform numbers_block { uint factor, addend; } numbers;
    layout(push_constant) uniform Push { uint count, extra; } push;
    void main() {
      uint i = gl_GlobalInvocationID.x;
      if (i < push.count) target.v[i] = source.v[i] * numbers.factor + numbers.addend + push.extra;
    })");
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("bindings");
  const std::vector<uint32_t> data = random_values<uint32_t>(1000, generator);
  const Guarded<uint32_t> source(device, stream, data, generator), target(device, stream, 1000, generator);
  const Buffer<Uniforms> uniforms = device.buffer<Uniforms>(1);
  const std::array<uint32_t, 2> push{1000, 9};
  std::vector<uint32_t> expected;
  for (const uint32_t x : data) expected.push_back(x * 31 + 7 + 9);
  stream.upload(uniforms, std::vector<Uniforms>{{31, 7, {}}});
  Arguments arguments(push);
  // The order of binding does not matter.
  arguments.bind(2, 0, target.view()).bind(0, 1, source.view()).bind(1, 3, uniforms);
  stream.dispatch(kernel, groups_of_64(1000), arguments);
  check_same(target.read(stream), expected);
  source.check_guards(stream);
}

DEVICE_TEST("bindings start at the view's offset, and .length() counts the view's elements") {
  const Kernel kernel = device.kernel_from_glsl(R"(#version 460
    layout(local_size_x = 64) in;
    layout(set = 0, binding = 0, std430) buffer values_block { uint head; uint v[]; } values;
    void main() {
      uint i = gl_GlobalInvocationID.x;
      if (i < values.v.length()) values.v[i] = values.head + uint(values.v.length());
    })");
  Stream stream = device.stream();
  const uint64_t step = std::max<uint64_t>(device.info().limits.storage_binding_alignment, 4) / 4;
  const Buffer<uint32_t> data = device.buffer<uint32_t>(step * 5 + 100);
  std::vector<uint32_t> expected(data.size(), 3);
  stream.fill(data, 3u);
  for (const uint64_t count : {1, 2, 57}) {
    const uint64_t first = step * (count % 5);
    stream.dispatch(kernel, {4, 1, 1}, Arguments().bind(0, 0, data.part(first, count)));
    for (uint64_t i = 1; i < count; ++i) expected[first + i] = expected[first] + uint32_t(count - 1);
  }
  check_same(stream.download(data), expected);
}

DEVICE_TEST("every element of a descriptor array is bound by its index") {
  const Kernel kernel = device.kernel_from_glsl(R"(#version 460
    layout(local_size_x = 1) in;
    layout(set = 0, binding = 0, std430) buffer source_block { uint v[]; } source[4];
    layout(set = 0, binding = 1, std430) buffer target_block { uint v[]; } target;
    void main() {
      target.v[0] = source[0].v[0];
      target.v[1] = source[1].v[0];
      target.v[2] = source[2].v[0];
      target.v[3] = source[3].v[0];
    })");
  Stream stream = device.stream();
  std::vector<Buffer<uint32_t>> sources;
  const Buffer<uint32_t> target = device.buffer<uint32_t>(4);
  stream.fill(target, 0xa5a5a5a5);
  Arguments arguments;
  arguments.bind(0, 1, target);
  for (uint32_t i = 0; i < 4; ++i) {
    sources.push_back(device.buffer<uint32_t>(1));
    stream.fill(sources[i], 100 + i);
    if (i != 2) arguments.bind(0, 0, sources[i], i);
  }
  check_error(ErrorCode::invalid_argument, {"source", "0.0", "element 2"},
              [&] { stream.dispatch(kernel, {}, arguments); });
  arguments.bind(0, 0, sources[2], 2);
  stream.dispatch(kernel, {}, arguments);
  check_same(stream.download(target), {100, 101, 102, 103});
}

DEVICE_TEST("the last view bound to a binding counts, and arguments are values") {
  const Kernel kernel = device.kernel_from_glsl(R"(#version 460
    layout(local_size_x = 1) in;
    layout(set = 0, binding = 0, std430) buffer target_block { uint v[]; } target;
    layout(push_constant) uniform Push { uint value; } push;
    void main() { target.v[0] = push.value; })");
  Stream stream = device.stream();
  const Buffer<uint32_t> a = device.buffer<uint32_t>(1), b = device.buffer<uint32_t>(1);
  stream.fill(a, 0u);
  stream.fill(b, 0u);
  Arguments first(uint32_t(5));
  first.bind(0, 0, a);
  Arguments second = first;
  const uint32_t six = 6;
  second.bind(0, 0, b).push(std::as_bytes(std::span(&six, 1)));
  stream.dispatch(kernel, {}, first);
  stream.dispatch(kernel, {}, second);
  check_same(stream.download(a), {5});
  check_same(stream.download(b), {6});
}

DEVICE_TEST("many dispatches with different bindings may be recorded before one submit") {
  const Kernel kernel = device.kernel_from_glsl(R"(#version 460
    layout(local_size_x = 1) in;
    layout(set = 0, binding = 0, std430) buffer source_block { uint v[]; } source;
    layout(set = 1, binding = 0, std430) buffer target_block { uint v[]; } target;
    void main() { target.v[0] = source.v[0] + 1; })");
  Stream stream = device.stream();
  const uint64_t step = std::max<uint64_t>(device.info().limits.storage_binding_alignment, 4) / 4;
  const Buffer<uint32_t> chain = device.buffer<uint32_t>(3001 * step);
  stream.fill(chain, 40u);
  for (uint64_t i = 0; i < 3000; ++i) {
    stream.dispatch(kernel, {},
                    Arguments().bind(0, 0, chain.part(i * step, 1)).bind(1, 0, chain.part((i + 1) * step, 1)));
  }
  const std::vector<uint32_t> words = stream.download(chain);
  bool right = true;
  for (uint64_t i = 0; i <= 3000; ++i) right = right && words[i * step] == 40 + i;
  CHECK(right);
}

DEVICE_TEST("push constants of every size up to the device's limit arrive whole") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("push constants");
  const uint32_t most =
      std::min<uint32_t>(device.info().limits.push_constant_bytes, Arguments::max_push_constant_bytes);
  CHECK_GE(most, 128);
  for (const uint32_t bytes : {4u, 12u, 16u, 100u, 128u, 256u}) {
    if (bytes > most) continue;
    const std::string words = std::to_string(bytes / 4);
    const Kernel kernel = device.kernel_from_glsl(R"(#version 460
      layout(local_size_x = 1) in;
      layout(push_constant, std430) uniform Push { uint v[)" +
                                                  words + R"(]; } push;
      layout(set = 0, binding = 0, std430) buffer target_block { uint v[]; } target;
      void main() { for (uint i = 0; i < )" + words +
                                                  R"(; ++i) target.v[i] = push.v[i]; })");
    CHECK_EQ(kernel.reflection().push_constant_bytes, bytes);
    const Guarded<uint32_t> target(device, stream, bytes / 4, generator);
    const std::vector<uint32_t> data = random_values<uint32_t>(bytes / 4, generator);
    stream.dispatch(kernel, {}, Arguments().bind(0, 0, target.view()).push(std::as_bytes(std::span(data))));
    INFO("push constants of ", bytes, " bytes");
    check_same(target.read(stream), data);
  }
}

DEVICE_TEST("push constants and storage buffers of 1 to 13 bytes, and uniform buffers of 4 to 16, arrive whole") {
  using spv::Capability;
  need_capabilities(device,
                    {Capability::Int8, Capability::StoragePushConstant8, Capability::StorageBuffer8BitAccess,
                     Capability::UniformAndStorageBuffer8BitAccess},
                    "has no 8-bit integers in blocks of every kind");
  if (!device.info().features.scalar_layout) unsupported("has no scalar layout");
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("bytes");
  for (uint32_t bytes = 1; bytes <= 13; ++bytes) {
    const auto array = [](uint32_t count) { return "{ uint8_t v[" + std::to_string(count) + "]; }"; };
    const uint32_t uniform_bytes = bytes + 3;  // lavapipe 25.0 reads 0 from uniform buffers of less than a word
    const Kernel kernel = device.kernel_from_glsl(R"(#version 460
      #extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
      #extension GL_EXT_shader_8bit_storage : require
      #extension GL_EXT_scalar_block_layout : require
      layout(local_size_x = 1) in;
      layout(push_constant, scalar) uniform Push )" +
                                                  array(bytes) + R"( push;
      layout(binding = 0, scalar) uniform Uniform )" +
                                                  array(uniform_bytes) + R"( constants;
      layout(binding = 1, scalar) readonly buffer Storage { uint8_t v[]; } stored;
      layout(binding = 2, std430) writeonly buffer Target { uvec3 v[]; } target;
      void main() {
        for (uint i = 0; i < stored.v.length(); ++i) target.v[i] = uvec3(push.v[i], constants.v[i + 3], stored.v[i]);
      })");
    CHECK_EQ(kernel.reflection().push_constant_bytes, bytes);
    const auto pushed = random_values<uint8_t>(bytes, generator), in_storage = random_values<uint8_t>(bytes, generator),
               in_uniform = random_values<uint8_t>(uniform_bytes, generator);
    const Buffer<uint8_t> constants = device.buffer<uint8_t>(uniform_bytes), stored = device.buffer<uint8_t>(bytes);
    stream.upload(constants, in_uniform);
    stream.upload(stored, in_storage);
    const Guarded<std::array<uint32_t, 4>> target(device, stream, bytes, generator);
    const auto pushed_bytes = std::as_bytes(std::span(pushed));
    stream.dispatch(kernel, {},
                    Arguments().bind(0, 0, constants).bind(0, 1, stored).bind(0, 2, target.view()).push(pushed_bytes));
    const auto results = target.read(stream);
    for (uint32_t i = 0; i < bytes; ++i) {
      INFO("byte ", i, " of ", bytes);
      CHECK_EQ(results[i][0], pushed[i]);
      CHECK_EQ(results[i][1], in_uniform[i + 3]);
      CHECK_EQ(results[i][2], in_storage[i]);
    }
  }
}

DEVICE_TEST("buffer references point into the middle of buffers, and structs reach other buffers") {
  struct Node {
    Pointer<uint32_t> next;
    uint32_t value, unused;
  };
  const Kernel kernel = device.kernel_from_glsl(R"(#version 460
    #extension GL_EXT_buffer_reference : require
    #extension GL_EXT_buffer_reference_uvec2 : require
    layout(local_size_x = 1) in;
    layout(buffer_reference) buffer Node;
    layout(buffer_reference, std430, buffer_reference_align = 8) buffer Node { Node next; uint value, unused; };
    layout(push_constant) uniform Push { Node head; uint count; } push;
    void main() {
      uvec2 node = uvec2(push.head);  // not a Node: SwiftShader crashes if a loop changes a reference
      uint sum = 0;
      for (uint i = 0; i < push.count; ++i) {
        sum = sum * 31 + Node(node).value;
        node = uvec2(Node(node).next);
      }
      Node(node).value = sum;
    })");
  struct Block {
    Pointer<Node> head;
    uint32_t count, unused = 0;
  };
  Stream stream = device.stream();
  constexpr uint32_t count = 50;
  std::vector<Buffer<Node>> buffers;
  for (uint32_t i = 0; i <= count; ++i) buffers.push_back(device.buffer<Node>(i % 4 + 1));
  const auto part = [&](uint32_t i) { return buffers[i].view().from(i % 4); };
  uint32_t expected = 0;
  for (uint32_t i = 0; i <= count; ++i) {
    Node node{{i < count ? part(i + 1).pointer().address : 0}, i * 7 + 1, 0};
    stream.upload(part(i), std::span<const Node>(&node, 1));
    if (i < count) expected = expected * 31 + node.value;
  }
  const Block block{{part(0).pointer().address}, count};
  stream.dispatch(kernel, {},
                  Arguments().push(std::as_bytes(std::span(&block, 1)).first(kernel.reflection().push_constant_bytes)));
  CHECK_EQ(stream.download(part(count)).at(0).value, expected);
}

namespace {

// Before SPIR-V 1.3, storage buffers have the storage class Uniform and the decoration BufferBlock.
// target.v[i] = source[1].v[i] * numbers.factor, and source[0].v[0] counts the invocations.
const char* const spirv_1_0 = R"(; SPIR-V
; Version: 1.0
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %id
               OpExecutionMode %main LocalSize 64 1 1
               OpName %source "source"
               OpName %target "target"
               OpName %numbers "numbers"
               OpDecorate %id BuiltIn GlobalInvocationId
               OpDecorate %words ArrayStride 4
               OpMemberDecorate %storage 0 Offset 0
               OpDecorate %storage BufferBlock
               OpMemberDecorate %uniforms 0 Offset 0
               OpDecorate %uniforms Block
               OpDecorate %source DescriptorSet 0
               OpDecorate %source Binding 0
               OpDecorate %target DescriptorSet 0
               OpDecorate %target Binding 1
               OpDecorate %numbers DescriptorSet 1
               OpDecorate %numbers Binding 0
       %void = OpTypeVoid
   %function = OpTypeFunction %void
       %uint = OpTypeInt 32 0
      %uint3 = OpTypeVector %uint 3
       %bool = OpTypeBool
         %c0 = OpConstant %uint 0
         %c1 = OpConstant %uint 1
         %c2 = OpConstant %uint 2
      %words = OpTypeRuntimeArray %uint
    %storage = OpTypeStruct %words
        %two = OpTypeArray %storage %c2
   %uniforms = OpTypeStruct %uint
%id_pointer  = OpTypePointer Input %uint3
%two_pointer = OpTypePointer Uniform %two
%storage_pointer = OpTypePointer Uniform %storage
%uniforms_pointer = OpTypePointer Uniform %uniforms
%word_pointer = OpTypePointer Uniform %uint
         %id = OpVariable %id_pointer Input
     %source = OpVariable %two_pointer Uniform
     %target = OpVariable %storage_pointer Uniform
    %numbers = OpVariable %uniforms_pointer Uniform
       %main = OpFunction %void None %function
      %start = OpLabel
        %id3 = OpLoad %uint3 %id
          %i = OpCompositeExtract %uint %id3 0
     %length = OpArrayLength %uint %target 0
     %inside = OpULessThan %bool %i %length
               OpSelectionMerge %end None
               OpBranchConditional %inside %then %end
       %then = OpLabel
      %count = OpAccessChain %word_pointer %source %c0 %c0 %c0
     %before = OpAtomicIAdd %uint %count %c1 %c0 %c1
       %from = OpAccessChain %word_pointer %source %c1 %c0 %i
          %x = OpLoad %uint %from
%factor_from = OpAccessChain %word_pointer %numbers %c0
     %factor = OpLoad %uint %factor_from
    %product = OpIMul %uint %x %factor
         %to = OpAccessChain %word_pointer %target %c0 %i
               OpStore %to %product
               OpBranch %end
        %end = OpLabel
               OpReturn
               OpFunctionEnd
)";

}  // namespace

DEVICE_TEST("storage buffers are bound in the form of SPIR-V 1.0") {
  const Kernel kernel = device.kernel(assemble_spirv(spirv_1_0, "early"));
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("SPIR-V 1.0");
  const std::vector<uint32_t> data = random_values<uint32_t>(1000, generator);
  const Guarded<uint32_t> source(device, stream, data, generator), target(device, stream, 1000, generator);
  const Buffer<uint32_t> counter = device.buffer<uint32_t>(1), factor = device.buffer<uint32_t>(1);
  stream.fill(counter, 0u);
  stream.fill(factor, 31u);
  Arguments arguments;
  arguments.bind(0, 0, counter, 0).bind(0, 0, source.view(), 1).bind(0, 1, target.view()).bind(1, 0, factor);
  stream.dispatch(kernel, groups_of_64(1000), arguments);
  std::vector<uint32_t> expected;
  for (const uint32_t x : data) expected.push_back(x * 31);
  check_same(target.read(stream), expected);
  check_same(stream.download(counter), std::vector<uint32_t>{1000});
}

DEVICE_TEST("variables that share a binding but cannot be one buffer are an error with the remedy") {
  std::string text = spirv_1_0;
  const std::string numbers = "%numbers DescriptorSet 1";
  text.replace(text.find(numbers), numbers.size(), "%numbers DescriptorSet 0");
  check_error(ErrorCode::invalid_argument, {"share", "0.0", "source, numbers", "[[vk::binding(1)]]", "-fvk-u-shift"},
              [&] { device.kernel(assemble_spirv(text, "registers")); });
}
