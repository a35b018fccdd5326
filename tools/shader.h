#pragma once

#include <string>
#include <vector>

#include <weft/kernel.h>
#include <weft/spirv.h>

#include "command_line.h"
#include "exec_arguments.h"

namespace weft::tools {

/// What weft exec and weft compile share: the shader, and what it is specialized with.
struct ShaderOptions {
  std::string file, entry = "main";
  std::vector<std::string> specs, defines, include_folders;
  bool no_contraction = false;
};

/// Adds SHADER, --spec, --entry, --define, --include and --no-contraction.
void add_shader_options(Verb& verb, ShaderOptions& options);

/// Reads a shader by its suffix: GLSL (.comp, .glsl), SPIR-V binary (.spv) or SPIR-V text (.spvasm). `debug_lines`
/// keeps the lines of GLSL.
Spirv load_shader(const ShaderOptions& options, bool debug_lines = false);

/// Throws invalid_argument when the shader's constant of that id has another type.
void check_type(const SpecArgument& argument, const Reflection& reflection);
SpecializationValue value_of(const SpecArgument& argument);

/// The module with these values as the defaults of its specialization constants.
Spirv with_defaults(const Spirv& module, const std::vector<SpecializationValue>& values);

}  // namespace weft::tools
