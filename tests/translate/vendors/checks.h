#pragma once

#include <weft/kernel.h>

#include "tests/translate/vendors/device_compiler.h"

namespace weft::test {

struct CompiledKernel {
  Translation translation;
  DeviceCode code;
};

/// Translates a kernel and compiles it. A compile error fails the test with the log.
CompiledKernel compile(const DeviceCompiler& compiler, const std::string& architecture, const Spirv& module,
                       const KernelOptions& options = {});
/// A kernel in GLSL, without its first line.
CompiledKernel compile(const DeviceCompiler& compiler, const std::string& architecture, const std::string& glsl);

enum class Spills { none, few };

/// Checks that a kernel has no stack but `arrays` bytes and no spills (or at most 512 bytes more and 1 KiB), no more
/// workgroup memory than it asks for, subgroups of the architecture's size, and no warnings.
void check_lean(const CompiledKernel& kernel, uint32_t subgroup_size, Spills spills = Spills::none,
                uint32_t arrays = 0);
/// Checks that every access has a known kind of memory.
void check_memories_known(const CompiledKernel& kernel);
/// Checks that every function is inlined.
void check_nothing_called(const CompiledKernel& kernel);

/// Returns the number of instructions that match an expression, which is given for PTX or for AMD's assembly.
size_t instructions(const CompiledKernel& kernel, const char* ptx, const char* amd);
size_t wide_loads(const CompiledKernel& kernel);   ///< Loads of 16 bytes from global memory.
size_t wide_stores(const CompiledKernel& kernel);  ///< Stores of 16 bytes to global memory.

/// PTX branches on one bit of a word.
struct BitBranches {
  size_t all = 0;
  size_t kept = 0;  ///< Those with a barrier between the test and the branch.
};
BitBranches bit_branches(const CompiledKernel& kernel);

}  // namespace weft::test
