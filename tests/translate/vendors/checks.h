#pragma once

#include <weft/kernel.h>

#include "device_compiler.h"

namespace weft::test {

struct CompiledKernel {
  Translation translation;
  DeviceCode code;
};

/// Translates a kernel and compiles it. A compile error fails the test with the log.
CompiledKernel compile(const DeviceCompiler& compiler, const std::string& architecture, const Spirv& module,
                       const KernelOptions& options = {});
/// A kernel in GLSL without the first line.
CompiledKernel compile(const DeviceCompiler& compiler, const std::string& architecture, const std::string& glsl);

enum class Spills { none, few };

/// Checks what every kernel should be: nothing on the stack and nothing spilled (or no more than half a KiB and a KiB),
/// no more workgroup memory than it asked for, subgroups of the architecture's size, no warnings.
void check_lean(const CompiledKernel& kernel, uint32_t subgroup_size, Spills spills = Spills::none);
/// Checks that no access leaves open which memory it is of.
void check_memories_known(const CompiledKernel& kernel);
/// Checks that every function stands in the place of its call.
void check_nothing_called(const CompiledKernel& kernel);

/// How many instructions match an expression, which is one for PTX or for AMD's.
size_t instructions(const CompiledKernel& kernel, const char* ptx, const char* amd);
size_t wide_loads(const CompiledKernel& kernel);   ///< Of 16 bytes, from global memory.
size_t wide_stores(const CompiledKernel& kernel);  ///< To it.

/// Branches of PTX on one bit of a word.
struct BitBranches {
  size_t all = 0;
  size_t kept = 0;  ///< Those with a barrier between the test and the branch.
};
BitBranches bit_branches(const CompiledKernel& kernel);

}  // namespace weft::test
