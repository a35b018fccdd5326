#include <doctest/doctest.h>

#include <string>

#include <weft/glsl.h>
#include <weft/translate.h>

using namespace weft;

// What a subgroup as one flow of control does once, and where it needs no mask. A ballot shows that lanes part.
namespace {

std::string in_lanes(const std::string& functions, const std::string& body) {
  const std::string text = R"(#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Data { uint words[]; } data;
layout(push_constant) uniform Constants { uint count; } constants;
)" + functions + "void main() { uint x = data.words[gl_GlobalInvocationID.x];\n" +
                           body + "data.words[gl_GlobalInvocationID.x] = x; }\n";
  const Spirv module = compile_glsl(text, GlslOptions{.name = "lanes"});
  const std::string code = translate_spirv(module, TranslationTarget::lanes).code;
  const size_t begin = code.find("namespace kernel {"), close = code.find("}  // namespace kernel");
  REQUIRE_NE(begin, std::string::npos);
  REQUIRE_NE(close, std::string::npos);
  return code.substr(begin, close - begin);
}

bool parts(const std::string& code) { return code.find("weft_ballot_mask") != std::string::npos; }

}  // namespace

TEST_CASE("a function's result is uniform if the arguments of that call are") {
  const std::string twice = "uint twice(uint v) { return v * 2u; }\n";
  CHECK_FALSE(parts(in_lanes(twice, "x = twice(x); if (twice(constants.count) > 5u) x += subgroupAdd(x);")));
  CHECK(parts(in_lanes(twice, "if (twice(x) > 5u) x += subgroupAdd(x);")));
  const std::string own = "uint own(uint v) { return v + gl_LocalInvocationIndex; }\n";
  CHECK(parts(in_lanes(own, "if (own(constants.count) > 5u) x += subgroupAdd(x);")));
  const std::string out = "void out_of(uint v, out uint to) { to = v; }\n";
  CHECK_FALSE(
      parts(in_lanes(out, "uint y; out_of(x, x); out_of(constants.count, y); if (y > 5u) x += subgroupAdd(x);")));
  CHECK(parts(in_lanes(out, "uint y; out_of(x, y); if (y > 5u) x += subgroupAdd(x);")));
}

// OpExtInst names a function of GLSL.std.450 by a literal number, which may be the id of a parameter too.
TEST_CASE("the numbers of built-in functions are not taken for values") {
  for (int pairs = 0; pairs < 3; ++pairs) {  // functions of two parameters, which shift the numbers of the others
    std::string sum = "0u", functions;
    for (int k = 0; k < 20; ++k) {
      const std::string name = "f" + std::to_string(k);
      functions += "uint " + name + (k < pairs ? "(uint v, uint w)" : "(uint v)") + " { return v + 1u; }\n";
      sum += " + " + name + (k < pairs ? "(constants.count, 2u)" : "(constants.count)");
    }
    CHECK_FALSE(parts(in_lanes(functions, "x = min(x, 7u); if (" + sum + " > 5u) x += subgroupAdd(x);")));
  }
}

TEST_CASE("a loop that lanes continue early needs no mask without subgroup operations") {
  const std::string loop = "for (uint k = 0u; k < 4u; ++k) { if (x + k > 9u) continue; x += k * constants.count; ";
  CHECK_FALSE(parts(in_lanes("", "x = subgroupAdd(x);" + loop + "} x = subgroupAdd(x);")));
  CHECK(parts(in_lanes("", loop + "x = subgroupAdd(x); }")));
}

// Each text has the statements of `body` and the calls of a function whose parameters compilers copy.
TEST_CASE("arguments that a function only reads are passed without a copy") {
  const std::string add = "uint add(uint a, uint b) { return a + b; }\n";
  const auto copies = [](const std::string& code) { return code.find("param") != std::string::npos; };
  const std::string end = " x += subgroupAdd(x);";
  CHECK_FALSE(copies(in_lanes(add, "uint y = x * 3u; x = add(x, y);" + end)));
  // A function that changes its parameter, or whose other parameter may be the same variable, needs copies.
  const std::string change = "uint change(uint a) { a += 1u; return a; }\n";
  CHECK(copies(in_lanes(change, "x += change(x) * x;" + end)));
  const std::string both = "void both(uint a, inout uint b) { b += a; b += a; }\n";
  CHECK(copies(in_lanes(both, "both(x, x);" + end)));
  // A second call may change what the first argument was read from.
  const std::string bump = "uint bump(inout uint a) { return a += 1u; }\n";
  CHECK(copies(in_lanes(add + bump, "x = add(x, bump(x));" + end)));
}

TEST_CASE("results are passed to where they go") {
  const auto copies = [](const std::string& code) { return code.find("param") != std::string::npos; };
  const std::string end = " x += subgroupAdd(x);";
  const std::string bump = "void bump(inout uint a) { a = a * 3u + 1u; }\n";
  CHECK_FALSE(copies(in_lanes(bump, "bump(x);" + end)));
  const std::string fill = "void fill(out uint a[4], uint x) { for (int k = 0; k < 4; ++k) a[k] = x; }\n";
  CHECK_FALSE(copies(in_lanes(fill, "uint a[4]; fill(a, x); x = a[x & 3u];" + end)));
  // What a turn of a loop left in the copy must not become what the loop changed.
  CHECK(copies(in_lanes("void some(out uint a[4], uint x) { if (x > 2u) a[1] = x; }\n",
                        "uint a[4]; for (uint k = 0u; k < 4u; ++k) { some(a, x); a[1] += x; x += a[1]; }" + end)));
}

TEST_CASE("an element that is set under a condition is stored once for all lanes") {
  const std::string code =
      in_lanes("", "uint y = subgroupAdd(x); if (x > 5u) { x = y; } x += subgroupAdd(x); if (x < 3u) { x += y; }");
  CHECK_NE(code.find("uint32_t x_now = x[lane];"), std::string::npos);
  CHECK_NE(code.find("x[lane] = x_now;"), std::string::npos);
}

// GCC's pass over the ranges of values makes scans faster, and takes most of the time to compile deep nests.
TEST_CASE("deep nests of loops are compiled without the ranges of values") {
  const auto nest = [](int depth) {
    std::string text =
        "#version 460\nlayout(local_size_x = 64) in;\nlayout(set = 0, binding = 0, std430) buffer Data { "
        "uint words[]; } data;\nvoid main() { uint x = data.words[gl_GlobalInvocationID.x], n = x;\n";
    for (int k = 0; k < depth; ++k) {
      const std::string name = "k" + std::to_string(k);
      text.append("for (uint ").append(name).append(" = 0u; ").append(name).append(" < n; ++").append(name);
      text.append(") { if (x == 7u) break;\n");
    }
    text += "x = x * 3u;" + std::string(size_t(depth), '}') + " data.words[gl_GlobalInvocationID.x] = x; }\n";
    const Spirv module = compile_glsl(text, GlslOptions{.name = "nest"});
    return translate_spirv(module, TranslationTarget::lanes).code.find("no-tree-vrp") != std::string::npos;
  };
  CHECK_FALSE(nest(7));
  CHECK(nest(8));
}
