#pragma once

#include <string>
#include <vector>

#include <weft/kernel.h>
#include <weft/spirv.h>

#include "exec_arguments.h"

namespace weft::tools {

struct ExecOptions {
  std::string shader, device, groups, invocations, push, entry = "main";
  std::vector<std::string> binds, buffers, outs, specs, defines, include_folders;
  uint32_t repeat = 1, subgroup_size = 0;
  double timeout_seconds = 60;
  bool list = false;
};

/// Reads a shader by its suffix: GLSL (.comp, .glsl), SPIR-V binary (.spv) or SPIR-V text (.spvasm).
Spirv load_shader(const ExecOptions& options);

/// What the shader takes, one line for each thing, for --list and beside errors.
std::string describe(const Reflection& reflection, const std::string& shader);

}  // namespace weft::tools
