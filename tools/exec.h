#pragma once

#include <string>
#include <vector>

#include <weft/kernel.h>

#include "exec_arguments.h"
#include "shader.h"

namespace weft::tools {

struct ExecOptions {
  ShaderOptions shader;
  std::string device, groups, invocations, push;
  std::vector<std::string> binds, buffers, outs;
  uint32_t repeat = 1, subgroup_size = 0;
  double timeout_seconds = 60;
  bool list = false;
};

/// What the shader takes, one line for each thing, for --list and beside errors.
std::string describe(const Reflection& reflection, const std::string& shader);

}  // namespace weft::tools
