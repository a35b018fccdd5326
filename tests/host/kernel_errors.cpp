#include <doctest/doctest.h>

#include <weft/weft.h>

using namespace weft;

/// What the checking mode finds in kernels of GLSL, and how it comes back to the caller.

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
)";  // whose lines are 1 to 9, so that a body begins on line 10

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

  /// The error that the body ends with.
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

void check_contains(const std::string& text, std::initializer_list<const char*> parts) {
  INFO(text);
  for (const char* part : parts) {
    INFO(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

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

TEST_CASE("right kernels pass the checking mode") {
  Bench bench;
  CHECK_EQ(bench.failure("words.at[i] = i;"), "");
  CHECK_EQ(bench.failure("tile[i] = i;\nbarrier();\nwords.at[i] = tile[63u - i];"), "");
  CHECK_EQ(bench.failure("atomicAdd(words.at[0], 1u);", {3}), "");
  CHECK_EQ(bench.failure("if (i == 0u) tile[0] = 5u;\nbarrier();\natomicAdd(tile[0], 1u);\nbarrier();\n"
                         "if (i == 1u) words.at[0] = tile[0];"),
           "");
}

TEST_CASE("after an error work goes on, and what was recorded behind it is left undone") {
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

TEST_CASE("without the checking mode a barrier that some have left behind is for the rest") {
  Bench bench("host");
  CHECK_EQ(bench.failure("if (i >= 40u) return;\ntile[i] = i;\nbarrier();\nwords.at[i] = tile[39u - i];"), "");
  const std::vector<uint32_t> words = bench.stream.download(bench.words);
  for (uint32_t i = 0; i < 40; ++i) CHECK_EQ(words[i], 39 - i);
}
