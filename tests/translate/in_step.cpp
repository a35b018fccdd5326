#include <doctest/doctest.h>

#include <string>

#include <weft/glsl.h>
#include <weft/translate.h>

#include "tests/support/test.h"
#include "tests/translate/corpus.h"

using namespace weft;
using namespace weft::test;

// Kernels without subgroup operations: lanes run in vectors where all values have 32 bits, and otherwise in step where
// that makes vectors, and alone elsewhere.
namespace {

enum class Runs { alone, in_step, in_step_if_full, in_vectors };

Runs runs_with(const std::string& type, const std::string& body, const std::string& functions, uint32_t workgroup) {
  const std::string text = "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n" +
                           std::string("layout(local_size_x = ") + std::to_string(workgroup) + R"() in;
layout(set = 0, binding = 0, std430) buffer Data { uint words[]; } data;
layout(push_constant) uniform Constants { uint count; } constants;
)" + functions + "void main() { uint i = gl_GlobalInvocationID.x; " +
                           type + " x = data.words[i];\n" + body + " data.words[i] = uint(x); }\n";
  const Spirv module = compile_glsl(text, GlslOptions{.name = "in step"});
  const std::string code = translate_spirv(module, TranslationTarget::lanes, {.subgroup_size = 16}).code;
  if (code.find("#define WEFT_IN_VECTORS 1") != std::string::npos) return Runs::in_vectors;
  const bool alone = code.find("main_(weft_self& self)") != std::string::npos;
  const bool in_step = code.find("main_(weft_self& group, weft_mask mask)") != std::string::npos;
  REQUIRE(alone + in_step > 0);
  return !in_step ? Runs::alone : alone ? Runs::in_step_if_full : Runs::in_step;
}

Runs runs(const std::string& body, const std::string& functions = "", uint32_t workgroup = 64) {
  return runs_with("uint64_t", body, functions, workgroup);
}
Runs runs_words(const std::string& body, const std::string& functions = "", uint32_t workgroup = 64) {
  return runs_with("uint", body, functions, workgroup);
}

const std::string loop = "for (uint k = 0u; k < 100u; ++k) x = x * 3u + k;";

}  // namespace

TEST_CASE("lanes run in vectors where all their values have 32 bits") {
  for (const char* body :
       {"x += 1u;", "if (i >= constants.count) return; x *= 3u;",
        "for (uint k = 0u; k < (x & 31u); ++k) { if ((x & k) == 5u) break; x += data.words[x]; }",
        "float f = float(x); f = sin(f) + cos(f) + tan(f) + asin(f) + acos(f) + atan(f) + sinh(f) + exp(f) + log(f); "
        "f += sqrt(f) + inversesqrt(f) + floor(f) + round(f) + pow(f, 3.0) + mod(f, 3.0); x = uint(f);",
        "vec3 v = vec3(x); mat3 m = mat3(v, v.zyx, v + 1.0); x = uint((m * v).y);",
        "float f[4]; for (int k = 0; k < 4; ++k) f[k] = float(x) + k; x = uint(exp(f[constants.count]));"}) {
    CAPTURE(std::string(body));
    CHECK(runs_words(body) == Runs::in_vectors);
    CHECK(runs_words(body, "", 7) == Runs::in_vectors);  // subgroups that are not full
  }
  CHECK(runs_words("x = twice(x);", "uint twice(uint x) { return 2u * x; }\n") == Runs::in_vectors);
  for (const char* body : {"x = atomicAdd(data.words[0], x);", "uint64_t y = x; x = uint(y * y >> 32);",
                           "uint own[4]; for (uint k = 0u; k < 4u; ++k) own[k] = x + k; x = own[x & 3u];",
                           "switch (x) { case 1u: x = 7u; break; default: x = 8u; }"}) {
    CAPTURE(std::string(body));
    CHECK(runs_words(body) != Runs::in_vectors);
  }
}

TEST_CASE("lanes run uniform loops in step") {
  CHECK(runs(loop) == Runs::in_step);
  CHECK(runs("for (uint k = 0u; k < constants.count; ++k) x += data.words[k];") == Runs::in_step);
  CHECK(runs("if (i >= constants.count) return; " + loop) == Runs::in_step_if_full);
  CHECK(runs("if (i < constants.count) { " + loop + " }") == Runs::in_step_if_full);
  CHECK(runs(loop, "", 70) == Runs::in_step_if_full);
}

TEST_CASE("lanes run alone what vectors would not speed up") {
  CHECK(runs("x += 1u;") == Runs::alone);
  CHECK(runs(loop, "", 8) == Runs::alone);  // fewer than a subgroup
  CHECK(runs("for (uint k = 0u; k < (x & 31u); ++k) x += k;") == Runs::alone);
  CHECK(runs("for (uint k = 0u; k < 3u; ++k) x += data.words[i + k];") == Runs::alone);
  CHECK(runs("uint own[4]; for (uint k = 0u; k < 4u; ++k) own[k] = uint(x) + k; x = own[uint(x) & 3u]; " + loop) ==
        Runs::alone);
}

// The first lane would wait for a lock that another one cannot give back.
TEST_CASE("lanes that may wait for one another run alone") {
  const std::string lock = "while (atomicCompSwap(data.words[0], 0u, 1u) != 0u) {} data.words[1] += uint(x); " +
                           std::string("atomicExchange(data.words[0], 0u);");
  CHECK(runs("for (uint k = 0u; k < 100u; ++k) { " + lock + " }") == Runs::alone);
  CHECK(runs("for (uint k = 0u; k < 100u; ++k) add(uint(x));", "void add(uint x) { " + lock + " }\n") == Runs::alone);
}

// What was written before a branch must not be written again.
TEST_CASE("lanes need not agree after the first write") {
  CHECK(runs("data.words[i] = 1u; if (i >= constants.count) return; " + loop) == Runs::alone);
  CHECK(runs("atomicAdd(data.words[0], 1u); if (i < constants.count) { " + loop + " }") == Runs::alone);
}

CORPUS("kernels without subgroup operations") {
  const auto steps = [](uint32_t x, uint32_t count) {
    for (uint32_t k = 0; k < count; ++k) x = x * 3 + (x >> 7) + k;
    return x;
  };
  const std::string function =
      "// functions\nuint steps(uint x, uint n) { for (uint k = 0u; k < n; ++k) "
      "x = x * 3u + (x >> 7) + k; return x; }";
  const std::string inline_steps = "for (uint k = 0u; k < 40u; ++k) x = x * 3u + (x >> 7) + k;";
  const auto of = [](KernelCase one, Reference reference) { return one.judged_by(std::move(reference)).of(80, 5); };
  return {
      of({"a loop after a test of the size", "", "uint x = u(0); if (id >= 250u) return; " + inline_steps + " put(x);"},
         [=](const Invocation& i) {
           return i.id >= 250 ? std::vector<uint32_t>{} : std::vector<uint32_t>{steps(i.u(0), 40)};
         }),
      of({"a loop over numbers of 64 bits", "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n//\n",
          "uint64_t x = u(0); if (id >= 250u) return; for (uint k = 0u; k < 40u; ++k) x = x * 3u + (x >> 7) + k; "
          "put(uint(x)); put(uint(x >> 32));"},
         [](const Invocation& i) {
           if (i.id >= 250) return std::vector<uint32_t>{};
           uint64_t x = i.u(0);
           for (uint32_t k = 0; k < 40; ++k) x = x * 3 + (x >> 7) + k;
           return std::vector<uint32_t>{uint32_t(x), uint32_t(x >> 32)};
         }),
      of({"loops on both sides of a branch", function,
          "uint x = u(0); if ((u(1) & 7u) == 0u) { " + inline_steps +
              " x ^= 5u; } else { x += 9u; for (uint k = 0u; k < 50u; ++k) x = (x << 1) ^ (x >> 3) ^ k; } put(x); "
              "put(steps(u(2), 30u));"},
         [=](const Invocation& i) {
           uint32_t x = i.u(0);
           if ((i.u(1) & 7) == 0) {
             x = steps(x, 40) ^ 5;
           } else {
             x += 9;
             for (uint32_t k = 0; k < 50; ++k) x = (x << 1) ^ (x >> 3) ^ k;
           }
           return std::vector<uint32_t>{x, steps(i.u(2), 30)};
         }),
      of({"nested tests, and loops that lanes leave alone", "",
          "uint x = u(0), n = 0u; if (id < 300u) { if ((id & 64u) == 0u) { " + inline_steps +
              " for (uint k = 0u; k < 20u; ++k) { uint y = x; while ((y & 3u) != 0u) { y >>= 2; ++n; } x += n; } "
              "put(n); } } put(x);"},
         [=](const Invocation& i) {
           uint32_t x = i.u(0), n = 0;
           if (i.id >= 300 || (i.id & 64) != 0) return std::vector<uint32_t>{x};
           x = steps(x, 40);
           for (uint32_t k = 0; k < 20; ++k) {
             uint32_t y = x;
             while ((y & 3) != 0) {
               y >>= 2;
               ++n;
             }
             x += n;
           }
           return std::vector<uint32_t>{n, x};
         }),
  };
}
