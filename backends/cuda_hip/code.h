#pragma once

#include <memory>
#include <span>
#include <string>

#include "backends/cuda_hip/code_maker.h"
#include "backends/cuda_hip/device.h"

namespace weft::cuda_hip {

/// A module, unloaded when this is destroyed.
class OwnedModule final : public core::Remains {
 public:
  explicit OwnedModule(const Device& device) : device_(device) {}
  ~OwnedModule() override { unload(); }

  /// Unloads an earlier one.
  void load(std::span<const std::byte> code);
  ModuleHandle handle() const { return handle_; }

 private:
  void unload() noexcept;

  const Device& device_;
  ModuleHandle handle_ = nullptr;
};

/// The machine code of a translated kernel, loaded into a device's context.
class Code {
 public:
  /// Loads the code from a pack or the cache, or translates and compiles.
  Code(std::shared_ptr<Device> device, const Spirv& module, const Reflection& reflection, const KernelOptions& options,
       Form form);
  ~Code();
  Code(const Code&) = delete;

  FunctionHandle function() const { return function_; }
  uint32_t dynamic_memory_bytes() const { return dynamic_memory_bytes_; }
  bool awaits_earlier_launches() const { return awaits_earlier_launches_; }
  /// Number of workgroups of `invocations` that the device runs at once.
  uint32_t resident_groups(uint32_t invocations) const;

 private:
  /// Loads code of a pack, if one has some that this driver accepts. Else `refusal` is why it refused the last, if any.
  bool find_packed(const CodeMaker& maker, const std::string& name, std::string& refusal);
  void load(const CodeMaker::Bytes& bytes, const std::string& name, const std::string& architecture);
  /// Loads code that is known. False, with the reason, if this driver does not accept it.
  bool accepts(const CodeMaker::Bytes& known, const std::string& name, const std::string& architecture,
               std::string& refusal);

  std::shared_ptr<Device> device_;
  std::unique_ptr<OwnedModule> module_;
  FunctionHandle function_ = nullptr;
  uint32_t dynamic_memory_bytes_ = 0;
  bool awaits_earlier_launches_ = false;
};

}  // namespace weft::cuda_hip
