#include "tests/translate/compile.h"

#include <doctest/doctest.h>
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>

#include <array>

#include <weft/error.h>

namespace weft::test {
namespace {

struct Version {
  glslang::EShTargetClientVersion client;
  glslang::EShTargetLanguageVersion language;
};

constexpr std::array<Version, 7> versions{{
    {glslang::EShTargetVulkan_1_0, glslang::EShTargetSpv_1_0},
    {glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_1},
    {glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_2},
    {glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_3},
    {glslang::EShTargetVulkan_1_2, glslang::EShTargetSpv_1_4},
    {glslang::EShTargetVulkan_1_2, glslang::EShTargetSpv_1_5},
    {glslang::EShTargetVulkan_1_3, glslang::EShTargetSpv_1_6},
}};

// Returns nothing if the source does not compile for this version; `log` says why.
Spirv compile(uint32_t minor, const std::string& source, const std::string& name, glslang::EShSource language,
              std::string& log) {
  static const bool initialized = glslang::InitializeProcess();
  REQUIRE(initialized);
  glslang::TShader shader(EShLangCompute);
  const char* const text = source.c_str();
  shader.setStrings(&text, 1);
  shader.setEnvInput(language, EShLangCompute, glslang::EShClientVulkan, 100);
  shader.setEnvClient(glslang::EShClientVulkan, versions.at(minor).client);
  shader.setEnvTarget(glslang::EShTargetSpv, versions.at(minor).language);
  shader.setEntryPoint("main");
  shader.setSourceEntryPoint("main");
  int rules = EShMsgSpvRules | EShMsgVulkanRules;
  if (language == glslang::EShSourceHlsl) rules |= EShMsgReadHlsl;
  const auto messages = static_cast<EShMessages>(rules);
  if (!shader.parse(GetDefaultResources(), 460, false, messages)) {
    log = shader.getInfoLog();
    return {};
  }
  glslang::TProgram program;
  program.addShader(&shader);
  if (!program.link(messages)) {
    log = program.getInfoLog();
    return {};
  }
  glslang::SpvOptions options;
  options.disableOptimizer = true;
  spv::SpvBuildLogger logger;
  Spirv module{{}, name};
  glslang::GlslangToSpv(*program.getIntermediate(EShLangCompute), module.words, &logger, &options);
  log = logger.getAllMessages();
  return module;
}

Spirv compile_from(uint32_t minor, const std::string& source, const std::string& name, glslang::EShSource language) {
  std::string log;
  for (uint32_t m = minor; m < versions.size(); ++m) {
    Spirv module = compile(m, source, name, language, log);
    if (!module.words.empty()) return module;
  }
  throw Error(ErrorCode::compile_failed, "kernel '" + name + "' does not compile: " + log + source);
}

}  // namespace

Spirv compile_glsl_to(uint32_t minor, const std::string& source, const std::string& name) {
  return compile_from(minor, source, name, glslang::EShSourceGlsl);
}

Spirv compile_hlsl_to(uint32_t minor, const std::string& source, const std::string& name) {
  return compile_from(minor, source, name, glslang::EShSourceHlsl);
}

}  // namespace weft::test
