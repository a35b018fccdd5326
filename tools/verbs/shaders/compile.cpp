#include <algorithm>
#include <cstdio>
#include <memory>
#include <span>

#include <weft/error.h>
#include <weft/translate.h>

#include "core/src/spirv/contraction.h"
#include "core/src/spirv/specialization.h"
#include "support/output_file.h"
#include "support/standard_streams.h"
#include "support/text.h"
#include "tools/primitive.h"
#include "tools/verbs.h"
#include "tools/verbs/shaders/shader.h"

namespace weft::tools {

using namespace support;

namespace {

const char* const compile_footer =
    R"(The C++ is exactly what Weft's devices compile, including its prelude: nvcc, hipcc or g++ takes the file as it
is. Values set by --spec become constants in the C++, and defaults in SPIR-V. Without -o the result is printed, SPIR-V
as text. -o FILE.spvasm writes that text to a file; -o - writes to standard output what -o FILE writes to the file.

Examples:
  weft compile blur.comp --target host
  weft compile blur.comp --target cuda --define RADIUS=3 --spec 0=u32:128 -o blur.cu && nvcc -std=c++20 -c blur.cu
  weft compile blur.comp --target hip -o blur.hip && hipcc -std=c++20 -fno-finite-loops -c blur.hip
  weft compile blur.comp --target spirv -o blur.spv)";

struct CompileOptions {
  ShaderOptions shader;
  std::string target, output;
  bool debug = false;
};

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

void write(const std::string& path, std::span<const std::byte> data) {
  if (path.empty() || path == "-") {
    const std::string_view text(reinterpret_cast<const char*>(data.data()), data.size());
    const std::string shown = output_is_terminal() ? printable(text) : std::string(text);
    std::fwrite(shown.data(), 1, shown.size(), stdout);  // main() checks for errors
    return;
  }
  OutputFile file(path);
  file.write(data);
  file.commit();
}

void write_spirv(const Spirv& module, const std::string& path) {
  if (path.empty() || path.ends_with(".spvasm")) return write(path, bytes_of(disassemble_spirv(module)));
  if (path == "-" && output_is_terminal()) {
    throw Error(ErrorCode::invalid_argument,
                "refusing to write a SPIR-V binary to a terminal; use -o FILE.spv, or omit -o to print text");
  }
  write(path, std::as_bytes(std::span(module.words)));
}

// Returns the contents of docs/spirv-instructions.md.
std::string list_of_instructions() {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  size_t count = 0;
  for (const auto& instruction : translated_instructions()) {
    auto group = std::ranges::find(groups, instruction.group, [](const auto& g) { return g.first; });
    if (group == groups.end()) group = groups.insert(group, {instruction.group, {}});
    group->second.push_back(instruction.name);
    ++count;
  }
  std::string list = format(
      "# Instructions that the translator supports\n\n"
      "Printed by `weft compile --list-instructions` from the tables that the translator works by: %zu in all. What "
      "each\n"
      "group means, and what is refused: [spirv.md](spirv.md).\n",
      count);
  for (const auto& [name, instructions] : groups) {
    list += format("\n## %s (%zu)\n\n", name.c_str(), instructions.size());
    for (const std::string& instruction : instructions) list += "- " + instruction + "\n";
  }
  return list;
}

void compile(const CompileOptions& options) {
  require_other_file(options.output, options.shader.file, "the shader to compile");
  const bool to_spirv = options.target == "spirv";
  Spirv module = load_shader(options.shader, options.debug || !to_spirv);
  const Reflection reflection = reflect(module, options.shader.entry);
  std::vector<SpecializationValue> values;
  for (const SpecArgument& argument : parse_specs(options.shader)) {
    check_type(argument, reflection);
    values.push_back(value_of(argument));
  }
  if (to_spirv) {
    if (options.shader.no_contraction) module.words = core::without_contraction(module.words);
    values = core::complete_specialization(module.name, reflection, values);
    if (!reflection.specializations.empty()) core::validate_specialized(module, values);
    return write_spirv(with_defaults(module, values), options.output);
  }
  const TranslationTarget target = options.target == "cuda"    ? TranslationTarget::cuda
                                   : options.target == "hip"   ? TranslationTarget::hip
                                   : options.target == "lanes" ? TranslationTarget::lanes
                                                               : TranslationTarget::host;
  KernelOptions kernel;
  kernel.entry = options.shader.entry;
  kernel.specialization = values;
  kernel.contraction = options.shader.no_contraction ? Contraction::forbidden : Contraction::allowed;
  write(options.output, bytes_of(translate_spirv(module, target, kernel).code));
}

}  // namespace

void add_compile(CommandLine& command_line) {
  auto options = std::make_shared<CompileOptions>();
  Verb verb = command_line.add_verb("compile", "Compile a shader to SPIR-V, or to C++ for CUDA, HIP or the host");
  add_shader_options(verb, options->shader);
  verb.add_option("-t,--target", options->target, "Output: spirv, cuda, hip, host or lanes")
      .required()
      .type_name("TARGET")
      .check([](const std::string& target) {
        const std::vector<std::string> targets = {"spirv", "cuda", "hip", "host", "lanes"};
        if (std::ranges::find(targets, target) != targets.end()) return std::string();
        const auto near = nearest(target, targets);
        return "'" + target + "' is not a target; use spirv, cuda, hip, host or lanes" +
               (near ? "; did you mean " + *near + "?" : "");
      });
  verb.add_option("-o,--output", options->output, "Write the result to this file")
      .type_name("FILE")
      .check(refuse_no_name);
  verb.add_flag("-g,--debug", options->debug, "Keep source lines in SPIR-V; C++ always has them, as comments");
  verb.add_flag_instead(
      "--list-instructions", [options] { write(options->output, bytes_of(list_of_instructions())); },
      "List the SPIR-V instructions supported by --target cuda, hip and host, and stop");
  verb.footer(compile_footer);
  verb.callback([options] { compile(*options); });
}

}  // namespace weft::tools
