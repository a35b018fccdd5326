#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <weft/api.h>
#include <weft/kernel.h>
#include <weft/spirv.h>

namespace weft {

/// The compiler and device that translated code is for.
enum class TranslationTarget {
  host,   ///< A C++20 compiler, for the host device; an invocation is a flow of control.
  cuda,   ///< NVRTC or nvcc.
  hip,    ///< hipRTC or hipcc.
  lanes,  ///< A C++20 compiler, for the host device; a subgroup is a flow of control.
};

/// A kernel as C++, and what a launch of it needs.
struct Translation {
  /// Self-contained C++20: prelude, types, functions and the entry point `weft_kernel`.
  std::string code;
  std::array<uint32_t, 3> workgroup_size{1, 1, 1};
  /// Bytes of workgroup memory, which starts at a multiple of 16.
  uint64_t workgroup_memory_bytes = 0;
  /// Bytes of it that the launch must provide (CUDA and HIP): all, if a kernel cannot declare that much, else 0.
  uint64_t dynamic_workgroup_memory_bytes = 0;
  /// Upper bound on the bytes of one invocation's variables. A compiler may need fewer.
  uint64_t invocation_bytes = 0;
  uint32_t push_constant_bytes = 0;
  /// Number of buffers that the entry point takes: Reflection::bindings in order, descriptor arrays flattened. Each
  /// buffer starts at a multiple of 16 bytes.
  uint32_t binding_count = 0;
  bool uses_subgroup_operations = false;
  bool uses_barriers = false;
};

/// Translates a compute shader from SPIR-V to C++ with the same meaning, as the CUDA, HIP and host devices do for their
/// kernels.
///
/// Of `options`, these members affect the code: `entry`, `specialization`, whose values become constants,
/// `contraction`, for CUDA `workgroups_per_multiprocessor` and for `lanes` `subgroup_size` (0: 32). The others are
/// about the launch.
///
/// Throws compile_failed, with the validator's log, if the module is not valid SPIR-V for Vulkan 1.3; invalid_argument
/// for an unknown entry point, for an unknown or invalid specialization constant and for a workgroup without
/// invocations; unsupported, naming the instruction and the variable or line of the source, for what cannot be
/// translated; and out_of_memory. Thread-safe.
WEFT_API Translation translate_spirv(const Spirv& module, TranslationTarget target, const KernelOptions& options = {});

/// An instruction that translate_spirv() supports.
struct TranslatedInstruction {
  std::string name;   ///< As the SPIR-V specification writes it: "OpIAdd", "GLSL.std.450 FClamp".
  std::string group;  ///< "arithmetic", "subgroup", ...
};
/// All supported instructions, from the translator's own tables.
WEFT_API std::vector<TranslatedInstruction> translated_instructions();

}  // namespace weft
