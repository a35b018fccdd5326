#pragma once

#include <memory>
#include <vector>

#include <weft/interop/vulkan.h>

#include "backends/vulkan/device.h"

namespace weft::vulkan {

/// A VkDevice that belongs to the host program.
class WrappedDevice final : public Device {
 public:
  /// Throws as wrap_device() does.
  static std::shared_ptr<WrappedDevice> wrap(const HostDevice& host, const DeviceOptions& options);
  ~WrappedDevice() override;

  /// The first one compiles the built-in kernels too, since a Recording compiles nothing.
  std::shared_ptr<backend::Kernel> create_kernel(const Spirv& module, const KernelOptions& options,
                                                 Reflection reflection) override;

 private:
  WrappedDevice(DeviceInfo info, const DeviceOptions& options, const HostDevice& host,
                std::shared_ptr<const Loader> loader, const FindFunction& find, const InstanceFunctions& instance,
                const FeatureChain& enabled);

  std::shared_ptr<const Loader> loader_;  ///< Null if the host provides vkGetInstanceProcAddr.
};

}  // namespace weft::vulkan
