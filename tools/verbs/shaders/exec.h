#pragma once

#include <string>
#include <vector>

#include <weft/kernel.h>

#include "tools/verbs/shaders/exec_arguments.h"
#include "tools/verbs/shaders/shader.h"

namespace weft::tools {

struct ExecOptions {
  ShaderOptions shader;
  std::string device, groups, invocations, push;
  std::vector<std::string> binds, buffers, outs;
  uint32_t repeat = 1, subgroup_size = 0;
  double timeout_seconds = 60;
  bool list = false;
};

/// The name of a binding, or of one buffer of an array, in --bind and --out: 0.1, 0.1[2].
std::string slot_text(const Reflection::Binding& binding, uint32_t element);
/// Describes the shader's interface, one line for each part, for --list and after errors.
std::string describe(const Reflection& reflection, const std::string& shader);

}  // namespace weft::tools
