#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "backends/cuda_hip/compiler.h"
#include "core/src/runtime/backend.h"

namespace weft::cuda_hip {

/// The two forms of a kernel. In `direct`, the grid of the launch is the grid of workgroups. In `indirect`, the group
/// counts are in device memory, and the blocks of the launch loop over the workgroups.
enum class Form { direct, indirect };

/// Precedes the machine code in packs and in the cache.
struct CodeHeader {
  uint64_t workgroup_memory_bytes = 0, dynamic_memory_bytes = 0;
};

/// Makes the machine code of a kernel, for a device that need not be there. Lives no longer than its arguments.
class CodeMaker {
 public:
  using Bytes = std::vector<std::byte>;  ///< A CodeHeader, then what the compiler made.

  CodeMaker(const backend::Device& device, const Compiler& compiler, const Spirv& module, const Reflection& reflection,
            const KernelOptions& options, Form form);

  /// The entry of a pack with the code for an architecture.
  core::Artifact packed(const std::string& architecture) const;
  /// The code from the device's cache if it is there and `accepts` takes it, else compiled. Throws unsupported if there
  /// is no compiler.
  Bytes made(const std::string& architecture, const std::function<bool(const Bytes&)>& accepts) const;

 private:
  const backend::Device& device_;
  const Compiler& compiler_;
  const Spirv& module_;
  const Reflection& reflection_;
  const KernelOptions& options_;
  const std::string before_;  ///< What comes before the kernel's C++.
  const core::CacheKey key_;
};

}  // namespace weft::cuda_hip
