#include <doctest/doctest.h>

#include <ctime>
#include <string>

#include <weft/error.h>
#include <weft/spirv.h>

#include "backends/translate/joins.h"
#include "backends/translate/module_emitter.h"

using namespace weft;

// Control flow nested deeper than any compiler does: the translator may neither recurse once per level, nor visit all
// enclosing levels for each level.
namespace {

const char* const depth_head = R"(
               OpCapability Shader
               OpCapability GroupNonUniform
               OpCapability GroupNonUniformArithmetic
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %lane
               OpExecutionMode %main LocalSize 64 1 1
               OpDecorate %lane BuiltIn LocalInvocationIndex
       %void = OpTypeVoid
       %uint = OpTypeInt 32 0
       %bool = OpTypeBool
   %function = OpTypeFunction %void
      %input = OpTypePointer Input %uint
       %lane = OpVariable %input Input
      %three = OpConstant %uint 3
       %main = OpFunction %void None %function
      %start = OpLabel
          %x = OpLoad %uint %lane
          %c = OpULessThan %bool %x %three
               OpBranch %enter0
)";

enum class Nest { selections, loops, switches, mixed };

std::string label(const char* name, size_t level) { return "%" + std::string(name) + std::to_string(level); }

Nest kind_of(Nest nest, size_t level) { return nest == Nest::mixed ? Nest(level % 3) : nest; }

// The header of one level; its lanes continue in the next level or at the end of this one.
std::string opening(Nest nest, size_t level) {
  const std::string merge = label("merge", level), next = label("enter", level + 1), body = label("body", level);
  const std::string text = label("enter", level) + " = OpLabel\n";
  switch (kind_of(nest, level)) {
    case Nest::selections:
      return text + "OpSelectionMerge " + merge + " None\nOpBranchConditional %c " + next + " " + merge + "\n";
    case Nest::switches:
      return text + "OpSelectionMerge " + merge + " None\nOpSwitch %x " + merge + " 3 " + next + "\n";
    default:
      return text + "OpLoopMerge " + merge + " " + label("continue", level) + " None\nOpBranch " + body + "\n" + body +
             " = OpLabel\nOpBranchConditional %c " + next + " " + merge + "\n";
  }
}

// The block where lanes arrive from the inner level.
std::string inner_end(Nest nest, size_t level) {
  return label(kind_of(nest, level) == Nest::loops ? "continue" : "merge", level);
}

// The end of one level, where all its lanes are active again.
std::string closing(Nest nest, size_t level, bool acts) {
  std::string text;
  if (kind_of(nest, level) == Nest::loops) {
    text = label("continue", level) + " = OpLabel\nOpBranch " + label("enter", level) + "\n";
  }
  text += label("merge", level) + " = OpLabel\n";
  if (acts) text += label("sum", level) + " = OpGroupNonUniformIAdd %uint %three Reduce %x\n";
  return text + (level == 0 ? "OpReturn\n" : "OpBranch " + inner_end(nest, level - 1) + "\n");
}

// With a subgroup operation innermost and after every level, or none; lanes may return from the innermost level.
Spirv nested(Nest nest, size_t depth, bool acts, bool returns) {
  std::string text = depth_head;
  for (size_t level = 0; level < depth; ++level) text += opening(nest, level);
  text += label("enter", depth) + " = OpLabel\n";
  if (acts) text += "%innermost = OpGroupNonUniformIAdd %uint %three Reduce %x\n";
  if (returns) {
    text += "OpSelectionMerge %stay None\nOpBranchConditional %c %leave %stay\n%leave = OpLabel\nOpReturn\n";
    text += "%stay = OpLabel\n";
  }
  text += "OpBranch " + inner_end(nest, depth - 1) + "\n";
  for (size_t level = depth; level-- > 0;) text += closing(nest, level, acts);
  return assemble_spirv(text + "OpFunctionEnd\n", "nested");
}

// Processor time, without the validator, which takes a minute for some hundred levels.
double seconds_to_translate(const Spirv& spirv) {
  const KernelOptions options;
  Reflection reflection;
  reflection.workgroup_size = {64, 1, 1};
  const std::clock_t start = std::clock();
  translate::Module module = translate::parse_module(spirv);
  translate::declare_joins(module);
  const Translation translation = translate::ModuleEmitter(module, reflection, TranslationTarget::host, options).run();
  CHECK_EQ(translation.uses_subgroup_operations,
           translation.code.find("weft_reduce<weft_op_add>(self, mask") != std::string::npos);
  return double(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace

TEST_CASE("control flow may be nested thousands of levels deep") {
  // Linear work takes a tenth of a second; visiting all enclosing levels for each level takes minutes.
  constexpr size_t levels = 8000;
  constexpr double most_seconds = 10;
  for (const Nest nest : {Nest::selections, Nest::loops, Nest::switches, Nest::mixed}) {
    for (const bool acts : {false, true}) {
      for (const bool returns : {false, true}) {
        INFO("nest ", int(nest), ", acts ", acts, ", returns ", returns);
        CHECK_LT(seconds_to_translate(nested(nest, levels, acts, returns)), most_seconds);
      }
    }
  }
}
