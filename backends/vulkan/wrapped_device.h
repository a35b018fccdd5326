#pragma once

#include <memory>
#include <vector>

#include <weft/interop/vulkan.h>

#include "backends/vulkan/device.h"

namespace weft::vulkan {

/// A VkDevice that stays its maker's.
class WrappedDevice final : public Device {
 public:
  /// Throws as wrap_device() does.
  static std::shared_ptr<WrappedDevice> wrap(const HostDevice& host, const DeviceOptions& options);
  ~WrappedDevice() override;

 private:
  WrappedDevice(DeviceInfo info, const DeviceOptions& options, const HostDevice& host,
                std::shared_ptr<const Loader> loader, const FindFunction& find, const InstanceFunctions& instance,
                const FeatureChain& enabled);

  std::shared_ptr<const Loader> loader_;  ///< Null where the host gave its vkGetInstanceProcAddr.
};

}  // namespace weft::vulkan
