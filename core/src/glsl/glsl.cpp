#include <weft/glsl.h>

#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>
#include <glslang/build_info.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include <weft/error.h>

#include "core/src/glsl/comments.h"
#include "core/src/glsl/glsl_includes.h"
#include "core/src/glsl/glsl_nesting.h"
#include "core/src/glsl/shader_library.h"
#include "core/src/glsl/token_names.h"
#include "core/src/runtime/cache.h"
#include "core/src/runtime/large_stack.h"

namespace weft {
namespace {

constexpr const char* cache_kind = "spirv";
constexpr size_t most_nesting = 4096;

// Callbacks of glslang for #include.
class Includer : public glslang::TShader::Includer {
 public:
  explicit Includer(core::GlslIncludes& includes) : includes_(includes) {}

  IncludeResult* includeLocal(const char* header, const char* includer, size_t depth) override {
    return include(header, includer, depth, true);
  }
  IncludeResult* includeSystem(const char* header, const char* includer, size_t depth) override {
    return include(header, includer, depth, false);
  }
  void releaseInclude(IncludeResult* result) override { delete result; }

 private:
  IncludeResult* include(const char* header, const char* includer, size_t depth, bool quoted) {
    constexpr size_t deepest = 64;
    constexpr std::string_view too_deep = "files include one another without end (more than 64 deep)";
    if (depth > deepest) return new IncludeResult("", too_deep.data(), too_deep.size(), nullptr);
    const core::GlslIncludes::File* file = includes_.find(includer, header, quoted);
    return file ? new IncludeResult(file->name, file->text.data(), file->text.size(), nullptr) : nullptr;
  }

  core::GlslIncludes& includes_;
};

// glslang is initialized once per process; the local static makes that thread-safe.
void initialize_glslang() {
  static const bool initialized = glslang::InitializeProcess();
  if (!initialized) throw Error(ErrorCode::unsupported, "glslang, the GLSL compiler, could not be initialized.");
}

// Device::kernel() checks workgroup sizes, which depend on the device.
TBuiltInResource resources() {
  TBuiltInResource limits = *GetDefaultResources();
  limits.maxComputeWorkGroupSizeX = limits.maxComputeWorkGroupSizeY = limits.maxComputeWorkGroupSizeZ = 65536;
  limits.maxComputeWorkGroupCountX = limits.maxComputeWorkGroupCountY = limits.maxComputeWorkGroupCountZ = 0x7fffffff;
  return limits;
}

// Lines before the first line of the source, not counted in line numbers.
std::string preamble(const GlslOptions& options) {
  std::string lines = "#extension GL_GOOGLE_include_directive : require\n";
  for (const auto& [name, value] : options.defines) {
    if (name.empty() || name.find_first_of("\r\n") != std::string::npos) {
      throw Error(ErrorCode::invalid_argument, "A GLSL macro needs a name on one line; '" + name + "' is not one.");
    }
    lines += "#define " + name + " ";
    for (const char c : core::without_line_comments(value))
      lines += c == '\n' ? std::string("\\\n") : std::string(1, c);
    lines += "\n";
  }
  return lines;
}

// glslang's messages as "file:line: message" lines, and the first error among them.
struct Log {
  std::string text, first_error;
  size_t errors = 0;

  explicit Log(const std::string& messages) {
    std::istringstream lines(messages);
    for (std::string line; std::getline(lines, line);) {
      const bool summary = line.find("compilation errors.  No code generated") != std::string::npos ||
                           line.find("compilation terminated") != std::string::npos;
      line.erase(line.find_last_not_of(' ') + 1);
      if (line.empty() || summary) continue;
      if (cut(line, "ERROR: ")) {
        in_words(line);
        if (errors++ == 0) first_error = line;
      } else if (cut(line, "WARNING: ")) {
        in_words(line);
        line += " (warning)";
      }
      text += line + "\n";
    }
  }

 private:
  static bool cut(std::string& line, std::string_view prefix) {
    if (!line.starts_with(prefix)) return false;
    line.erase(0, prefix.size());
    return true;
  }

  // glslang gives the preamble the string number -1, and writes '' for a missing token.
  static void in_words(std::string& line) {
    if (cut(line, "-1:")) line = "macro definition" + line.substr(line.find(':'));
    const std::string_view no_token = "'' :  ";
    if (const size_t at = line.find(no_token); at != std::string::npos) line.erase(at, no_token.size());
    line = core::with_tokens_as_written(line);
  }
};

[[noreturn]] void fail(const GlslOptions& options, const std::string& messages) {
  const Log log(messages);
  std::string what = "'" + options.name +
                     "' does not compile: " + (log.first_error.empty() ? "glslang gives no reason." : log.first_error);
  if (log.errors > 1) what += " (" + std::to_string(log.errors - 1) + " more in the log)";
  throw Error(ErrorCode::compile_failed, what, log.text);
}

constexpr auto rules = static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules);
constexpr int default_version = 450;

// A glslang shader with the texts that it points to.
struct Shader {
  Shader(const std::string& source, const GlslOptions& options)
      : before(preamble(options)), text(source.data()), name(options.name.c_str()), length(int(source.size())) {
    shader.setStringsWithLengthsAndNames(&text, &length, &name, 1);
    shader.setPreamble(before.c_str());
    shader.setEnvInput(glslang::EShSourceGlsl, EShLangCompute, glslang::EShClientVulkan, 100);
    shader.setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_2);
    shader.setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_5);
    // TShader::setDebugInfo() is for the debug information that glslang makes itself: without that, glslang 12 writes
    // its scopes all the same, with 0 for an instruction set.
  }

  const std::string before;
  const char* const text;
  const char* const name;
  const int length;
  glslang::TShader shader{EShLangCompute};
};

// The nesting of the source as written, and with macros and includes expanded.
size_t nesting_of(const std::string& source, const GlslOptions& options, core::GlslIncludes& includes) {
  const size_t plain = core::glsl_nesting(source);
  if (plain > most_nesting) return plain;
  initialize_glslang();
  Shader given(source, options);
  const TBuiltInResource limits = resources();
  Includer includer(includes);
  std::string text;
  // Parsing the source reports the same error again.
  const bool read = given.shader.preprocess(&limits, default_version, ENoProfile, false, false, rules, &text, includer);
  return read ? std::max(plain, core::glsl_nesting(text)) : plain;
}

Spirv compile_here(const std::string& source, const GlslOptions& options, core::GlslIncludes& includes) {
  initialize_glslang();
  Shader given(source, options);
  glslang::TShader& shader = given.shader;
  const TBuiltInResource limits = resources();
  Includer includer(includes);
  // EShMsgDebugInfo makes glslang keep the source's name and text, which generateDebugInfo needs for its lines.
  const auto parsing = static_cast<EShMessages>(rules | (options.debug_lines ? EShMsgDebugInfo : EShMsgDefault));
  const bool parsed = shader.parse(&limits, default_version, ENoProfile, false, false, parsing, includer);
  includes.require_read();
  if (!parsed) fail(options, shader.getInfoLog());
  glslang::TProgram program;
  program.addShader(&shader);
  if (!program.link(rules)) fail(options, std::string(shader.getInfoLog()) + program.getInfoLog());

  glslang::SpvOptions spirv_options;
  spirv_options.disableOptimizer = true;
  spirv_options.generateDebugInfo = options.debug_lines;
  spv::SpvBuildLogger logger;
  Spirv module{{}, options.name};
  glslang::GlslangToSpv(*program.getIntermediate(EShLangCompute), module.words, &logger, &spirv_options);
  if (module.words.empty()) fail(options, logger.getAllMessages());
  return module;
}

// glslang 12 needs up to 1.6 KiB of stack per level of nesting. Shallow sources fit on any thread's stack; deep ones
// get a stack that is large enough.
Spirv compile(const std::string& source, const GlslOptions& options, core::GlslIncludes& includes) {
  constexpr size_t shallow = 48, level_bytes = 4096, other_bytes = 1u << 20;
  const size_t nesting = nesting_of(source, options, includes);
  if (nesting > most_nesting) {
    throw Error(ErrorCode::compile_failed,
                "'" + options.name + "' does not compile: one of its statements is " + std::to_string(nesting) +
                    " levels deep, counting brackets, operators and inner statements; the limit is " +
                    std::to_string(most_nesting) + ". Split it.");
  }
  if (nesting <= shallow) return compile_here(source, options, includes);
  Spirv module;
  core::on_large_stack(other_bytes + nesting * level_bytes, [&] { module = compile_here(source, options, includes); });
  return module;
}

}  // namespace

Spirv compile_glsl(const std::string& source, const GlslOptions& options) {
  if (source.size() > 0x7fffffff) throw Error(ErrorCode::invalid_argument, "A GLSL source of 2 GiB or more was given.");
  core::GlslIncludes includes(options);
  const core::Cache cache(options.cache, options.messages);
  if (!cache) return compile(source, options, includes);

  core::CacheKey key;
  // The number is the version of compile(); raise it when its output changes.
  key.add("2: glslang " GLSLANG_VERSION_FLAVOR)
      .add(uint64_t{GLSLANG_VERSION_MAJOR})
      .add(uint64_t{GLSLANG_VERSION_MINOR});
  key.add(uint64_t{GLSLANG_VERSION_PATCH}).add(static_cast<uint64_t>(glslang::GetSpirvGeneratorVersion()));
  key.add(preamble(options)).add(uint64_t{options.debug_lines}).add(options.name).add(source);
  includes.add_to(key, options.name, source);
  includes.require_read();
  if (const auto stored = cache.find(cache_kind, key); stored && stored->size() % sizeof(uint32_t) == 0) {
    Spirv module{std::vector<uint32_t>(stored->size() / sizeof(uint32_t)), options.name};
    std::memcpy(module.words.data(), stored->data(), stored->size());
    return module;
  }
  Spirv module = compile(source, options, includes);
  if (includes.key_is_complete()) cache.put(cache_kind, key, std::as_bytes(std::span(module.words)));
  return module;
}

std::vector<std::string> shader_library_files() {
  std::vector<std::string> names;
  for (const core::EmbeddedFile& file : core::shader_library()) names.emplace_back(file.name);
  return names;
}

}  // namespace weft
