#pragma once

#include <string>
#include <vector>

#include <weft/kernel.h>
#include <weft/spirv.h>

#include "tools/command_line.h"
#include "tools/verbs/shaders/exec_arguments.h"

namespace weft::tools {

/// Shared by weft exec and weft compile: the shader and its specialization.
struct ShaderOptions {
  std::string file, entry = "main";
  std::vector<std::string> specs, defines, include_folders;
  bool no_contraction = false;
};

/// Adds SHADER, --spec, --entry, --define, --include and --no-contraction.
void add_shader_options(Verb& verb, ShaderOptions& options);

/// Reads a shader; its suffix gives the format: GLSL (.comp, .glsl), SPIR-V binary (.spv) or SPIR-V text (.spvasm).
/// `debug_lines` keeps GLSL's line numbers.
Spirv load_shader(const ShaderOptions& options, bool debug_lines = false);

/// The specialization constants of --spec. Throws invalid_argument for one that cannot be read or is given twice.
std::vector<SpecArgument> parse_specs(const ShaderOptions& options);

/// Throws invalid_argument if the shader's constant with that id has another type.
void check_type(const SpecArgument& argument, const Reflection& reflection);
SpecializationValue value_of(const SpecArgument& argument);

/// Returns the module with these values as the defaults of its specialization constants.
Spirv with_defaults(const Spirv& module, const std::vector<SpecializationValue>& values);

}  // namespace weft::tools
