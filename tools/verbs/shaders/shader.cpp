#include "tools/verbs/shaders/shader.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <spirv/unified1/spirv.hpp>

#include <weft/error.h>
#include <weft/glsl.h>

#include "core/src/platform/utf8.h"
#include "support/array_file.h"

namespace weft::tools {

using namespace support;

namespace {

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool suits(const SpecArgument& argument, const Reflection::Specialization& constant) {
  if (constant.type == "bool") return !argument.type;
  const auto type = find_scalar_type(constant.type);
  return argument.type &&
         (!type || (bytes(*type) == bytes(*argument.type) && is_float(*type) == is_float(*argument.type)));
}

// Calls `visit` with the start of each instruction.
template <typename Visit>
void for_each_instruction(const std::vector<uint32_t>& words, const Visit& visit) {
  constexpr size_t header = 5;
  for (size_t at = header; at < words.size(); at += words[at] >> 16) visit(at, spv::Op(words[at] & 0xffff));
}

}  // namespace

void add_shader_options(Verb& verb, ShaderOptions& options) {
  verb.add_option("SHADER", options.file, "GLSL (.comp, .glsl), SPIR-V (.spv) or SPIR-V text (.spvasm)")
      .required()
      .type_name("FILE");
  verb.add_repeated("--spec", options.specs, "Set a specialization constant; TYPE may also be bool")
      .type_name("ID=TYPE:VALUE");
  verb.add_option("--entry", options.entry, "Entry point").type_name("NAME").capture_default();
  verb.add_repeated("-D,--define", options.defines, "Define a macro in GLSL").type_name("NAME=VALUE");
  verb.add_repeated("-I,--include", options.include_folders, "Search this folder for GLSL #include files")
      .type_name("FOLDER");
  verb.add_flag("--no-contraction", options.no_contraction,
                "Round every floating-point operation separately, as if all variables were precise");
}

Spirv load_shader(const ShaderOptions& options, bool debug_lines) {
  const std::filesystem::path path = core::utf8_path(options.file);
  const std::string suffix = core::utf8_text(path.extension());
  const bool glsl = suffix == ".comp" || suffix == ".glsl";
  if (suffix == ".hlsl" || suffix == ".slang") {
    throw Error(ErrorCode::invalid_argument,
                options.file +
                    " must be compiled to SPIR-V first; for HLSL: glslangValidator -D -V -S comp -e main "
                    "--target-env vulkan1.1 FILE.hlsl -o FILE.spv");
  }
  if (!glsl && suffix != ".spv" && suffix != ".spvasm") {
    throw Error(ErrorCode::invalid_argument,
                "cannot tell the format of '" + options.file +
                    "' from its suffix; use .comp or .glsl for GLSL, .spv for a SPIR-V binary, .spvasm for SPIR-V "
                    "text");
  }
  if (!glsl && !options.defines.empty()) {
    throw Error(ErrorCode::invalid_argument, "--define works only with GLSL; " + options.file + " is already compiled");
  }
  const std::vector<std::byte> bytes = read_bytes(options.file);
  if (suffix == ".spv") return spirv_from_bytes(bytes, options.file);
  if (suffix == ".spvasm") return assemble_spirv(text_of(bytes), options.file);
  GlslOptions glsl_options = GlslOptions::from_environment();
  glsl_options.debug_lines = debug_lines;
  glsl_options.name = options.file;
  glsl_options.include_folders = options.include_folders;
  for (const std::string& define : options.defines) glsl_options.defines.push_back(parse_define(define));
  glsl_options.include_folders.insert(glsl_options.include_folders.begin(),
                                      path.has_parent_path() ? core::utf8_text(path.parent_path()) : ".");
  return compile_glsl(text_of(bytes), glsl_options);
}

std::vector<SpecArgument> parse_specs(const ShaderOptions& options) {
  std::vector<SpecArgument> arguments;
  for (const std::string& text : options.specs) {
    const SpecArgument argument = parse_spec(text);
    if (std::ranges::find(arguments, argument.id, &SpecArgument::id) != arguments.end()) {
      throw Error(ErrorCode::invalid_argument, "--spec " + std::to_string(argument.id) + " is given twice");
    }
    arguments.push_back(argument);
  }
  return arguments;
}

void check_type(const SpecArgument& argument, const Reflection& reflection) {
  for (const auto& constant : reflection.specializations) {
    if (constant.id != argument.id || suits(argument, constant)) continue;
    throw Error(ErrorCode::invalid_argument, "--spec " + std::to_string(argument.id) + " is a " +
                                                 (argument.type ? to_string(*argument.type) : "bool") +
                                                 ", but the shader's " + constant.name + " is a " + constant.type);
  }
}

SpecializationValue value_of(const SpecArgument& argument) {
  return {argument.id, argument.type ? bytes(*argument.type) : 4, argument.bits};
}

Spirv with_defaults(const Spirv& module, const std::vector<SpecializationValue>& values) {
  Spirv changed = module;
  std::vector<uint32_t>& words = changed.words;
  std::map<uint32_t, const SpecializationValue*> constants;  // by result id; several may share one SpecId
  for_each_instruction(words, [&](size_t at, spv::Op op) {
    if (op != spv::OpDecorate || words[at + 2] != spv::DecorationSpecId) return;
    const auto value = std::ranges::find(values, words[at + 3], &SpecializationValue::id);
    if (value != values.end()) constants[words[at + 1]] = &*value;
  });
  for_each_instruction(words, [&](size_t at, spv::Op op) {
    const bool boolean = op == spv::OpSpecConstantTrue || op == spv::OpSpecConstantFalse;
    if (!boolean && op != spv::OpSpecConstant) return;
    const auto found = constants.find(words[at + 2]);
    if (found == constants.end()) return;
    const uint64_t bits = found->second->bits;
    if (boolean) {
      words[at] = 3u << 16 | uint32_t(bits ? spv::OpSpecConstantTrue : spv::OpSpecConstantFalse);
    } else {
      words[at + 3] = uint32_t(bits);
      if (words[at] >> 16 == 5) words[at + 4] = uint32_t(bits >> 32);
    }
  });
  return changed;
}

}  // namespace weft::tools
