#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weft/device_info.h>
#include <weft/kernel.h>

namespace weft::core {

/// What a kernel needs against what a device has. Each function throws unsupported, with the kernel, the device and the
/// reason; invalid_argument where no device could run the kernel.
class DeviceCheck {
 public:
  DeviceCheck(const std::string& kernel, const DeviceInfo& device) : kernel_(kernel), device_(device) {}

  /// `certain`: refuses only if the device lacks a capability that the module is known to use.
  void capabilities(const std::vector<uint32_t>& declared, bool certain) const;
  void workgroup(const Reflection& reflection) const;
  /// `error` is core::layout_error() of the module.
  void layout(const std::string& error) const;
  void push_constants(const Reflection& reflection) const;
  void bindings(const Reflection& reflection) const;
  /// `size` is KernelOptions::subgroup_size.
  void subgroup_size(uint32_t size) const;

 private:
  [[noreturn]] void unsupported(const std::string& reason) const;

  const std::string& kernel_;
  const DeviceInfo& device_;
};

}  // namespace weft::core
