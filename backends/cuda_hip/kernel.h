#pragma once

#include <memory>
#include <mutex>

#include "backends/cuda_hip/code.h"
#include "backends/cuda_hip/device.h"

namespace weft::cuda_hip {

class Kernel final : public backend::Kernel {
 public:
  Kernel(std::shared_ptr<Device> device, const Spirv& module, const KernelOptions& options, Reflection reflection);

  /// Both need the context to be current.
  void launch(Groups groups, const backend::BoundArguments& arguments, StreamHandle stream) const;
  /// `counts` is the address of the three group counts. The first call compiles the kernel's indirect form, unless
  /// prepare_indirect() has.
  void launch_indirect(uint64_t counts, const backend::BoundArguments& arguments, StreamHandle stream) const;
  uint32_t resident_workgroups() const override { return code_.resident_groups(invocations()); }
  void prepare_indirect() const override { indirect(); }

 private:
  void launch(const Code& code, Groups groups, void** parameters, StreamHandle stream) const;
  const Code& indirect() const;
  uint32_t invocations() const;

  const Code code_;
  // For the indirect form.
  const Spirv module_;
  const KernelOptions options_;
  mutable std::once_flag indirect_once_;
  mutable std::unique_ptr<const Code> indirect_;
};

}  // namespace weft::cuda_hip
