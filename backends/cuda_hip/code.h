#pragma once

#include <string>

#include "backends/cuda_hip/device.h"

namespace weft::cuda_hip {

/// The two forms of a kernel: `direct` has the launch's grid for its workgroups; the workgroups of `indirect` are
/// counted in device memory, and those of the launch take them in turn.
enum class Form { direct, indirect };

/// A translated kernel as machine code, loaded into a device's context.
class Code {
 public:
  /// Translates and compiles, or takes the code from the cache on disk.
  Code(std::shared_ptr<Device> device, const Spirv& module, const Reflection& reflection, const KernelOptions& options,
       Form form);
  ~Code();
  Code(const Code&) = delete;

  FunctionHandle function() const { return function_; }
  uint32_t dynamic_memory_bytes() const { return dynamic_memory_bytes_; }
  /// How many workgroups of this many invocations the device runs at once.
  uint32_t resident_groups(uint32_t invocations) const;

 private:
  void load(const std::vector<std::byte>& payload, const std::string& name);

  std::shared_ptr<Device> device_;
  ModuleHandle module_ = nullptr;
  FunctionHandle function_ = nullptr;
  uint32_t dynamic_memory_bytes_ = 0;
};

}  // namespace weft::cuda_hip
