#include <weft/spirv.h>

#include "core/src/spirv/forms.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

namespace {

Spirv with_debug_information() {
  return assemble_spirv(R"(
    OpCapability Shader
    OpExtension "SPV_KHR_non_semantic_info"
    %debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    %file = OpString "some.comp"
    OpSource HLSL 600 %file
    OpName %main "entry"
    OpName %source "source"
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %source = OpExtInst %void %debug DebugSource %file
    %main = OpFunction %void None %function
    %start = OpLabel
    %inside = OpExtInst %void %debug DebugNoScope
    OpLine %file 7 1
    OpReturn
    %behind = OpExtInst %void %debug DebugNoScope
    OpFunctionEnd)",
                        "debug");
}

size_t count(const std::vector<uint32_t>& words, const std::string& part) {
  const std::string text = disassemble_spirv({words, "form"});
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("a driver gets debug information inside of blocks, and tools get names and lines alone") {
  const std::vector<uint32_t> given = with_debug_information().words;
  const std::vector<uint32_t> driver = core::driver_form(given), tools = core::tool_form(given);
  CHECK_EQ(count(driver, "DebugNoScope"), 1);
  CHECK_EQ(count(driver, "DebugSource"), 1);
  CHECK_EQ(count(driver, "OpName %source"), 1);
  for (const char* part : {"OpExtInst", "NonSemantic", "%source"}) CHECK_EQ(count(tools, part), 0);
  for (const char* part : {"OpSource HLSL 600 ", "OpName %entry \"entry\"", "OpLine", "OpReturn"}) {
    CHECK_EQ(count(driver, part), 1);
    CHECK_EQ(count(tools, part), 1);
  }
  CHECK((core::driver_form(driver) == driver));
  CHECK((core::tool_form(tools) == tools));
  CHECK((core::tool_form(driver) == tools));
}

TEST_CASE("a module of a compiler that SPIRV-Tools does not know is disassembled") {
  Spirv module = with_debug_information();
  for (size_t at = 5; at < module.words.size(); at += module.words[at] >> 16) {
    if ((module.words[at] & 0xffff) == 3) module.words[at + 1] = 1000;  // OpSource
  }
  CHECK(disassemble_spirv(module).find("OpSource Unknown 600") != std::string::npos);
}

TEST_CASE("a module that is cut off is given to the validator as it is") {
  const Spirv whole = with_debug_information();
  for (size_t words = 0; words < whole.words.size(); ++words) {
    const Spirv cut{{whole.words.begin(), whole.words.begin() + long(words)}, "cut"};
    CHECK(core::tool_form(cut.words).size() <= words);
    check_error(ErrorCode::compile_failed, {"'cut' is not valid"}, [&] { validate_spirv(cut); });
  }
}
