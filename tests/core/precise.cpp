#include <map>
#include <set>
#include <sstream>

#include <weft/glsl.h>

#include "core/src/spirv/contraction.h"
#include "core/src/spirv/inlining.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// The NoContraction decorations of a module when contraction is forbidden. Devices are tested by contraction.cpp.

namespace {

Spirv forbidden(const Spirv& module) { return {core::without_contraction(module.words), module.name}; }

/// Returns the lines of a module's text that contain `part`.
std::vector<std::string> lines_with(const Spirv& module, const std::string& part) {
  std::istringstream text(disassemble_spirv(module));
  std::vector<std::string> found;
  for (std::string line; std::getline(text, line);) {
    if (line.find(part) != std::string::npos) found.push_back(line);
  }
  return found;
}

// Whether no addition or multiplication of floats may be contracted.
bool is_precise(const Spirv& module) {
  std::istringstream lines(disassemble_spirv(module));
  std::set<std::string> decorated;
  bool precise = true, any = false;
  for (std::string line, id, op, name; std::getline(lines, line);) {
    std::istringstream words(line);
    words >> id >> op >> name;
    if (id == "OpDecorate" && name == "NoContraction") decorated.insert(op);
    words.clear();
    words.str(line);
    words >> id >> op >> op;
    if (op != "OpFAdd" && op != "OpFMul") continue;
    any = true;
    precise = precise && decorated.contains(id);
  }
  return precise && any;
}

// Two functions; one result is already decorated, two through a group; the rest have names.
const char* const module_text = R"(
  OpCapability Shader
  OpMemoryModel Logical GLSL450
  OpEntryPoint GLCompute %main "main"
  OpExecutionMode %main LocalSize 1 1 1
  OpName %sum "sum"
  OpDecorate %product NoContraction
  OpDecorate %group NoContraction
  %group = OpDecorationGroup
  OpGroupDecorate %group %quotient %negated
  %void = OpTypeVoid
  %type = OpTypeFunction %void
  %float = OpTypeFloat 32
  %uint = OpTypeInt 32 0
  %three = OpConstant %float 3
  %one = OpConstant %uint 1
  %unary = OpTypeFunction %float %float
  %called = OpFunction %float None %unary
  %x = OpFunctionParameter %float
  %in_called = OpLabel
  %difference = OpFSub %float %x %three
  OpReturnValue %difference
  OpFunctionEnd
  %main = OpFunction %void None %type
  %in_main = OpLabel
  %product = OpFMul %float %three %three
  %sum = OpFAdd %float %product %three
  %quotient = OpFDiv %float %sum %three
  %negated = OpFNegate %float %quotient
  %result = OpFunctionCall %float %called %negated
  %word = OpIAdd %uint %one %one
  %less = OpFOrdLessThan %bool %result %three
  OpReturn
  OpFunctionEnd
)";

Spirv sample() {
  std::string text = module_text;
  text.insert(text.find("%uint = "), "%bool = OpTypeBool\n");
  return assemble_spirv(text, "sample");
}

}  // namespace

TEST_CASE("each result of float arithmetic is decorated once, in every function, whatever was decorated before") {
  const Spirv module = sample(), changed = forbidden(module);
  validate_spirv(module);
  validate_spirv(changed);
  CHECK_EQ(lines_with(module, "NoContraction").size(), 2);
  CHECK_EQ(lines_with(changed, "NoContraction").size(), 4);  // also the sum and the difference
  CHECK_EQ(lines_with(changed, "OpDecorate %sum NoContraction").size(), 1);
  const std::string difference = lines_with(changed, "OpFSub").at(0);
  const std::string id = difference.substr(difference.find('%'), difference.find(" =") - difference.find('%'));
  CHECK_EQ(lines_with(changed, "OpDecorate " + id + " NoContraction").size(), 1);
}

TEST_CASE("nothing else in a module changes, and a second pass changes nothing") {
  const Spirv module = sample(), changed = forbidden(module);
  std::istringstream before(disassemble_spirv(module)), after(disassemble_spirv(changed));
  size_t added = 0;
  for (std::string line, expected; std::getline(before, expected);) {
    while (std::getline(after, line) && line != expected) {
      CHECK(line.find("NoContraction") != std::string::npos);
      ++added;
    }
    CHECK_EQ(line, expected);
  }
  CHECK_EQ(added, 2);
  check_same(forbidden(changed).words, changed.words);
}

TEST_CASE("products of vectors and matrices are decorated too, even with lines and names before types") {
  const Spirv module = compile_glsl(R"(#version 460
    layout(local_size_x = 1) in;
    layout(binding = 0, std430) buffer Data { vec4 v[]; } data;
    void main() {
      mat4 m = outerProduct(data.v[0], data.v[1]);
      vec4 a = m * data.v[2] + data.v[3] * m + data.v[4] * 3.0;
      m = m * m * 2.0;
      data.v[0] = m * a + mod(a, dot(a, data.v[5]));
    })",
                                    {.debug_lines = true});
  const Spirv changed = forbidden(module);
  validate_spirv(changed);
  for (const char* op : {"OpOuterProduct", "OpMatrixTimesVector", "OpVectorTimesMatrix", "OpVectorTimesScalar",
                         "OpMatrixTimesMatrix", "OpMatrixTimesScalar", "OpDot", "OpFMod", "OpFAdd"}) {
    const std::vector<std::string> lines = lines_with(changed, std::string(op) + " ");
    CHECK_MESSAGE(!lines.empty(), op);
    for (const std::string& line : lines) {
      const std::string id = line.substr(line.find('%'), line.find(" =") - line.find('%'));
      CHECK_MESSAGE(lines_with(changed, "OpDecorate " + id + " NoContraction").size() == 1, line);
    }
  }
}

TEST_CASE("a module without floats stays unchanged") {
  const Spirv module = compile_glsl(R"(#version 460
    layout(local_size_x = 1) in;
    layout(binding = 0, std430) buffer Data { uint v[]; } data;
    void main() { data.v[0] = data.v[1] * data.v[2] + data.v[3]; })");
  check_same(forbidden(module).words, module.words);
}

TEST_CASE("operations that must not be contracted must not be after inlining either") {
  Spirv module = compile_glsl(R"(#version 460
    layout(local_size_x = 64) in;
    layout(binding = 0, std430) buffer Data { float v[]; } data;
    float affine(float x, float y) { return x * 0.3 + y; }
    void main() {
      uint i = gl_GlobalInvocationID.x;
      data.v[i] = affine(affine(data.v[i], 1.0) * 0.7 + 0.1, 2.0);
    })");
  CHECK_FALSE(is_precise(module));
  module.words = core::without_contraction(module.words);
  CHECK(is_precise(module));
  const Spirv inlined{core::with_functions_inlined(module.words), module.name};
  CHECK_EQ(lines_with(inlined, "OpFunctionEnd").size(), 1);
  CHECK(is_precise(inlined));
}
