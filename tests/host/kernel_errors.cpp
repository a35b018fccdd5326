#include <doctest/doctest.h>

#include <array>

#include <weft/weft.h>

#include "tests/host/contains.h"

using namespace weft;
using weft::host::test::check_contains;

/// Errors that the checking mode finds in GLSL kernels, and how they reach the caller.

namespace {

const char* const head = R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint at[]; };
layout(set = 0, binding = 0) buffer Bound { uint bound[]; };
layout(push_constant) uniform Arguments { Words words; uint count; };
shared uint tile[64];
void main() {
  uint i = gl_LocalInvocationIndex;
)";  // lines 1 to 9; a body begins on line 10

struct Block {
  Pointer<uint32_t> words;
  uint32_t count = 64;
};

class Bench {
 public:
  explicit Bench(const std::string& selector = "host:check=on")
      : device(open_device(selector)), stream(device.stream()) {
    words = device.buffer<uint32_t>(64);
    stream.fill(words, 0u);
    stream.synchronize();
  }

  void record(const std::string& body, Groups groups = {1}) {
    GlslOptions options;
    options.name = "wrong.comp";
    options.debug_lines = true;
    const Kernel kernel = device.kernel(compile_glsl(head + body + "\n}\n", options));
    Arguments arguments(Block{words.pointer()});
    if (!kernel.reflection().bindings.empty()) arguments.bind(0, 0, words.part(0, 32));
    stream.dispatch(kernel, groups, arguments);
  }

  /// Returns the error of the body.
  std::string failure(const std::string& body, Groups groups = {1}) {
    record(body, groups);
    return failure_of(stream);
  }

  static std::string failure_of(Stream& stream) {
    try {
      stream.synchronize();
    } catch (const Error& error) {
      CHECK_EQ(error.code(), ErrorCode::kernel_failed);
      return error.what();
    }
    return {};
  }

  Device device;
  Stream stream;
  Buffer<uint32_t> words;
};

}  // namespace

TEST_CASE("the checking mode names kernel, line, invocation and address") {
  Bench bench;
  check_contains(bench.failure("words.at[i + 1] = 1;"),
                 {"wrong.comp", ":10", "out of bounds", "byte 256", "(63, 0, 0)", "0x"});
  check_contains(bench.failure("bound[i] = 1;"),
                 {"wrong.comp:10", "out of bounds", "binding", "has 128", "(32, 0, 0)"});
  check_contains(bench.failure("uint k = count + i;\nwords.at[0] = tile[k];"), {"wrong.comp:11", "workgroup memory"});
  check_contains(bench.failure("words.at[i] = tile[i];"), {"wrong.comp:10", "not initialised"});
  check_contains(bench.failure("tile[i] = i;\nwords.at[i] = tile[i ^ 1u];"), {"wrong.comp", "not initialised"});
  check_contains(bench.failure("tile[i] = i;\nbarrier();\ntile[i] = tile[63u - i];"), {"wrong.comp:12", "data race"});
  check_contains(bench.failure("words.at[0] = i;"), {"wrong.comp:10", "data race", "same workgroup"});
  check_contains(bench.failure("words.at[i] = gl_WorkGroupID.x;", {2}), {"data race", "of workgroup (0, 0, 0)"});
  check_contains(bench.failure("if (i < 7u) barrier();"), {"barrier", "divergent", "57 of 64"});
}

TEST_CASE("correct kernels pass the checking mode") {
  Bench bench;
  CHECK_EQ(bench.failure("words.at[i] = i;"), "");
  CHECK_EQ(bench.failure("tile[i] = i;\nbarrier();\nwords.at[i] = tile[63u - i];"), "");
  CHECK_EQ(bench.failure("atomicAdd(words.at[0], 1u);", {3}), "");
  CHECK_EQ(bench.failure("if (i == 0u) tile[0] = 5u;\nbarrier();\natomicAdd(tile[0], 1u);\nbarrier();\n"
                         "if (i == 1u) words.at[0] = tile[0];"),
           "");
}

TEST_CASE("an exchange whose result nobody uses is a write") {
  Bench bench;
  CHECK_EQ(bench.failure("if (i == 0u) atomicExchange(tile[0], 5u);\nbarrier();\nwords.at[i] = tile[0];"), "");
  check_contains(bench.failure("words.at[i] = atomicExchange(tile[i], 5u);"), {"not initialised"});
  for (const char* const function : {"atomicAdd(tile[i], 0u)", "atomicOr(tile[i], 0u)", "atomicMax(tile[i], 1u)",
                                     "atomicCompSwap(tile[i], 1u, 2u)"}) {
    INFO(function);
    check_contains(bench.failure(std::string(function) + ";"), {"not initialised"});
  }
}

TEST_CASE("after an error, work recorded behind it is skipped, and new work runs") {
  Bench bench;
  bench.record("words.at[i + 1] = 1;");
  bench.stream.fill(bench.words, 7u);
  bench.stream.submit();
  CHECK_NE(Bench::failure_of(bench.stream), "");
  CHECK_EQ(Bench::failure_of(bench.stream), "");
  CHECK_NE(bench.stream.download(bench.words)[5], 7);
  bench.stream.fill(bench.words, 8u);
  CHECK(bench.stream.download(bench.words) == std::vector<uint32_t>(64, 8));
}

TEST_CASE("an error reaches events, downloads and streams that wait for it") {
  Bench bench;
  bench.record("words.at[i + 1] = 1;");
  const Event event = bench.stream.record();
  CHECK_THROWS_AS(event.wait(), Error);
  Stream other = bench.device.stream();
  other.wait(event);
  other.fill(bench.words, 1u);
  CHECK_NE(Bench::failure_of(other), "");
  CHECK_THROWS_AS(bench.device.synchronize(), Error);
  CHECK_THROWS_AS(bench.stream.download(bench.words), Error);
  bench.device.synchronize();
}

TEST_CASE("without the checking mode, a barrier waits only for invocations that have not finished") {
  for (const std::string selector : {"host:form=fibers", "host"}) {
    Bench bench(selector);
    CHECK_EQ(bench.failure("if (i >= 40u) return;\ntile[i] = i;\nbarrier();\nwords.at[i] = tile[39u - i];"), "");
    const std::vector<uint32_t> words = bench.stream.download(bench.words);
    for (uint32_t i = 0; i < 40; ++i) CHECK_EQ(words[i], 39 - i);
  }
}

TEST_CASE("the checking mode finds 64-bit indices whose offset wraps") {
  const std::string text = R"(
               OpCapability Shader
               OpCapability Int64
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %data %given
               OpExecutionMode %main LocalSize 1 1 1
               OpDecorate %rows ArrayStride 16
               OpDecorate %row ArrayStride 4
               OpMemberDecorate %block 0 Offset 0
               OpDecorate %block Block
               OpDecorate %data DescriptorSet 0
               OpDecorate %data Binding 0
               OpMemberDecorate %push 0 Offset 0
               OpMemberDecorate %push 1 Offset 8
               OpDecorate %push Block
       %void = OpTypeVoid
   %function = OpTypeFunction %void
       %uint = OpTypeInt 32 0
      %ulong = OpTypeInt 64 0
         %u0 = OpConstant %uint 0
         %u1 = OpConstant %uint 1
         %u4 = OpConstant %uint 4
         %u7 = OpConstant %uint 7
        %far = OpConstant %ulong 4611686018427387904
        %row = OpTypeArray %uint %u4
       %rows = OpTypeRuntimeArray %row
      %block = OpTypeStruct %rows
  %ptr_block = OpTypePointer StorageBuffer %block
   %ptr_uint = OpTypePointer StorageBuffer %uint
       %push = OpTypeStruct %ulong %ulong
   %ptr_push = OpTypePointer PushConstant %push
  %ptr_ulong = OpTypePointer PushConstant %ulong
       %data = OpVariable %ptr_block StorageBuffer
      %given = OpVariable %ptr_push PushConstant
       %main = OpFunction %void None %function
         %l0 = OpLabel
          %p = OpAccessChain %ptr_ulong %given %u0
          %i = OpLoad %ulong %p
          %q = OpAccessChain %ptr_ulong %given %u1
          %j = OpLoad %ulong %q
          %e = OpAccessChain %ptr_uint %data %u0 %i %j
               OpStore %e %u7
               OpReturn
               OpFunctionEnd)";
  std::string constant = text;
  constant.replace(constant.find("%u0 %i %j"), 9, "%u0 %far %j");
  const Device device = open_device("host:check=on");
  const Kernel indexed = device.kernel(assemble_spirv(text, "indexed"));
  const Kernel fixed = device.kernel(assemble_spirv(constant, "fixed"));
  const Buffer<uint32_t> words = device.buffer<uint32_t>(64);
  const auto failure = [&](const Kernel& kernel, uint64_t i, uint64_t j) {
    Stream stream = device.stream();
    stream.fill(words, 0u);
    stream.dispatch(kernel, {1}, Arguments(std::array{i, j}).bind(0, 0, words));
    return Bench::failure_of(stream);
  };
  CHECK_EQ(failure(indexed, 3, 2), "");
  for (const auto& [i, j] : {std::pair(uint64_t{1} << 60, uint64_t{0}), std::pair(uint64_t{0}, uint64_t{1} << 62),
                             std::pair(uint64_t{3} << 60, uint64_t{1} << 62), std::pair(~uint64_t{0}, uint64_t{0})}) {
    check_contains(failure(indexed, i, j), {"out of bounds", "writes 4 bytes"});
  }
  check_contains(failure(fixed, 0, 0), {"out of bounds", "writes 4 bytes"});
}

TEST_CASE("the checking mode finds indices beyond an array of buffers") {
  const Device device = open_device("host:check=on");
  const Kernel kernel = device.kernel(compile_glsl(R"(#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Pair { uint v[]; } pair[2];
layout(push_constant) uniform Push { uint k; };
void main() { pair[k].v[0] = 7u; })"));
  const Buffer<uint32_t> words = device.buffer<uint32_t>(8);
  const auto failure = [&](uint32_t k) {
    Stream stream = device.stream();
    Arguments arguments(k);
    arguments.bind(0, 0, words.part(0, 4), 0).bind(0, 0, words.part(4, 4), 1);
    stream.dispatch(kernel, {1}, arguments);
    return Bench::failure_of(stream);
  };
  CHECK_EQ(failure(1), "");
  check_contains(failure(2), {"out of bounds", "array of buffers"});
  check_contains(failure(~0u), {"out of bounds", "array of buffers"});
}
