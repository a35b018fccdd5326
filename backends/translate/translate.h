#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <weft/kernel.h>

namespace weft::translate {

enum class Target { host, cuda, hip };

struct Options {
  Target target = Target::host;
  std::string entry = "main";
  std::vector<SpecializationValue> specialization;
  uint32_t resident_workgroups = 0;  ///< KernelOptions::resident_workgroups
};

struct Translation {
  /// Self-contained C++: prelude, types, functions, and the entry `weft_kernel`.
  std::string code;
  std::array<uint32_t, 3> workgroup_size{1, 1, 1};
  /// Of workgroup memory, which starts at a multiple of 16.
  uint64_t workgroup_memory_bytes = 0;
  /// What of it the launch has to give (CUDA, HIP): all of it where it is more than a kernel can declare, else nothing.
  uint64_t dynamic_workgroup_memory_bytes = 0;
  /// What the variables of one invocation take at most; a compiler may need less.
  uint64_t invocation_bytes = 0;
  uint32_t push_constant_bytes = 0;
  /// Buffers that the entry takes: Reflection::bindings in their order, descriptor arrays flattened. Each starts at a
  /// multiple of 16.
  uint32_t binding_count = 0;
  bool uses_subgroup_operations = false;
  bool uses_barriers = false;
};

/// Turns `module` into C++ with the same meaning. Throws Error: compile_failed for an invalid module, invalid_argument
/// for an unknown entry point, unsupported (naming the instruction and the source's name) for what is not translated.
Translation translate(const Spirv& module, const Options& options);

/// What translate() takes, read from the tables that it works by.
struct SupportedInstruction {
  std::string name;   ///< As the SPIR-V specification writes it: "OpIAdd", "GLSL.std.450 FClamp".
  std::string group;  ///< "arithmetic", "subgroup", ...
};
std::vector<SupportedInstruction> supported_instructions();

}  // namespace weft::translate
