#pragma once

#include <memory>

#include "backends/host/device.h"
#include "backends/host/dispatch.h"
#include "core/src/runtime/backend.h"

namespace weft::host {

class Kernel final : public backend::Kernel {
 public:
  /// Translates and compiles, or takes the code from the cache on disk.
  Kernel(std::shared_ptr<Device> device, const Spirv& module, const KernelOptions& options, Reflection reflection);

  /// What a dispatch with these arguments runs with, but for the count of workgroups.
  Dispatch dispatch(const Arguments& arguments) const;
  uint32_t resident_workgroups() const override { return static_cast<const Device&>(*device_).threads(); }

 private:
  std::shared_ptr<const Code> code_;
  uint32_t subgroup_size_;
};

}  // namespace weft::host
