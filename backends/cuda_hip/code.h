#pragma once

#include <string>

#include "backends/cuda_hip/device.h"

namespace weft::cuda_hip {

/// The two forms of a kernel. In `direct`, the grid of the launch is the grid of workgroups. In `indirect`, the group
/// counts are in device memory, and the blocks of the launch loop over the workgroups.
enum class Form { direct, indirect };

/// The machine code of a translated kernel, loaded into a device's context.
class Code {
 public:
  /// Translates and compiles, or loads the code from the disk cache.
  Code(std::shared_ptr<Device> device, const Spirv& module, const Reflection& reflection, const KernelOptions& options,
       Form form);
  ~Code();
  Code(const Code&) = delete;

  FunctionHandle function() const { return function_; }
  uint32_t dynamic_memory_bytes() const { return dynamic_memory_bytes_; }
  /// Number of workgroups of `invocations` that the device runs at once.
  uint32_t resident_groups(uint32_t invocations) const;

 private:
  void load(const std::vector<std::byte>& payload, const std::string& name);
  /// Loads code from the cache. False if this driver does not accept it.
  bool accepts(const std::vector<std::byte>& cached, const std::string& name);

  std::shared_ptr<Device> device_;
  ModuleHandle module_ = nullptr;
  FunctionHandle function_ = nullptr;
  uint32_t dynamic_memory_bytes_ = 0;
};

}  // namespace weft::cuda_hip
