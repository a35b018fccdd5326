#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/tools/command.h"

// docs/spirv-instructions.md must be the output of the command, and the numbers in docs/spirv.md must be right.
using namespace weft::test;

namespace {

std::string file_of(const char* variable, const std::string& name) {
  const char* const folder = std::getenv(variable);
  REQUIRE(folder != nullptr);
  std::ifstream file(std::string(folder) + "/" + name);
  REQUIRE(file.good());
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Returns the instructions of a list printed by the command.
std::set<std::string> listed(const std::string& markdown) {
  std::set<std::string> names;
  std::istringstream lines(markdown);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("- ")) continue;
    INFO(line << " is listed twice");
    CHECK(names.insert(line.substr(2)).second);
  }
  return names;
}

// Names of the SPIR-V instructions that a compute shader for Vulkan may contain, by opcode; an opcode may have several.
std::map<int, std::set<std::string>> instructions_of_compute_shaders() {
  // Not for Vulkan's compute shaders: OpenCL's capabilities, and those of other stages.
  const std::set<std::string> elsewhere = {"Kernel",
                                           "Addresses",
                                           "Pipes",
                                           "DeviceEnqueue",
                                           "Groups",
                                           "PipeStorage",
                                           "NamedBarrier",
                                           "SubgroupDispatch",
                                           "LiteralSampler",
                                           "Geometry",
                                           "GeometryStreams",
                                           "DerivativeControl",
                                           "DemoteToHelperInvocation"};
  const std::set<std::string> of_fragments = {"OpDPdx", "OpDPdy", "OpFwidth", "OpKill", "OpTerminateInvocation"};
  std::map<int, std::set<std::string>> result;
  const auto grammar = nlohmann::json::parse(file_of("WEFT_TEST_GRAMMARS", "spirv.core.grammar.json"));
  for (const auto& instruction : grammar.at("instructions")) {
    const std::string name = instruction.at("opname"), version = instruction.value("version", "1.0");
    if (version == "None" || version > "1.6" || of_fragments.contains(name)) continue;
    const auto needed = instruction.value("capabilities", std::vector<std::string>());
    bool possible = needed.empty();
    for (const std::string& capability : needed) {
      if (capability.ends_with("EXT") && elsewhere.contains(capability.substr(0, capability.size() - 3))) continue;
      possible = possible || !elsewhere.contains(capability);
    }
    if (possible) result[instruction.at("opcode").get<int>()].insert(name);
  }
  return result;
}

}  // namespace

TEST_CASE("the list of instructions in docs is the one that the command prints") {
  const Folder folder;
  const Outcome printed = folder.weft({"compile", "--list-instructions"});
  check_success(printed);
  CHECK(listed(printed.out).size() > 250);
  INFO("write it anew: weft compile --list-instructions > docs/spirv-instructions.md");
  CHECK(file_of("WEFT_TEST_DOCS", "spirv-instructions.md") == printed.out);
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"compile", "--list-instructions", "-o", "list.md"}, {"compile", "-o", "list.md", "--list-instructions"}}) {
    folder.write("list.md", "old");
    const Outcome written = folder.weft(arguments);
    check_success(written);
    CHECK(written.out.empty());
    CHECK(folder.read("list.md") == printed.out);
  }
}

TEST_CASE("docs/spirv.md counts the instructions correctly, and the missing ones are for images and samplers") {
  const std::set<std::string> supported = listed(file_of("WEFT_TEST_DOCS", "spirv-instructions.md"));
  const auto all = instructions_of_compute_shaders();
  size_t count = 0;
  for (const auto& [opcode, names] : all) {
    const auto is_supported = [&](const std::string& name) { return supported.contains(name); };
    if (std::any_of(names.begin(), names.end(), is_supported)) {
      ++count;
      continue;
    }
    const std::string& name = *names.begin();
    INFO(name << " is neither translated nor about images");
    CHECK((name.starts_with("OpImage") || name.starts_with("OpTypeImage") || name == "OpTypeSampler" ||
           name == "OpSampledImage" || name == "OpTypeSampledImage"));
  }
  const auto glsl = nlohmann::json::parse(file_of("WEFT_TEST_GRAMMARS", "extinst.glsl.std.450.grammar.json"));
  const size_t glsl_count = std::count_if(supported.begin(), supported.end(),
                                          [](const std::string& name) { return name.starts_with("GLSL.std.450 "); });
  const auto n = [](size_t number) { return std::to_string(number); };
  std::string page = file_of("WEFT_TEST_DOCS", "spirv.md");
  std::replace(page.begin(), page.end(), '\n', ' ');
  for (const std::string& sentence :
       {"SPIR-V 1.6 has " + n(all.size()) + " instructions",
        n(count) + " of these " + n(all.size()) + " are translated",
        "The other " + n(all.size() - count) + " are images and samplers",
        "Of the " + n(glsl.at("instructions").size()) + " instructions of GLSL.std.450, " + n(glsl_count) + " are"}) {
    INFO("docs/spirv.md should say: " << sentence);
    CHECK(page.find(sentence) != std::string::npos);
  }
}
