#pragma once

#include <memory>

#include "backends/host/device.h"
#include "backends/host/dispatch.h"
#include "core/src/runtime/backend.h"

namespace weft::host {

class Kernel final : public backend::Kernel {
 public:
  /// Translates and compiles, or loads the code from the disk cache.
  Kernel(std::shared_ptr<Device> device, const Spirv& module, const KernelOptions& options, Reflection reflection);

  /// Returns a dispatch with these arguments. The caller sets its group counts.
  Dispatch dispatch(const backend::BoundArguments& arguments) const;
  uint32_t resident_workgroups() const override;

 private:
  std::shared_ptr<const Code> code_;
  uint32_t subgroup_size_;
};

}  // namespace weft::host
