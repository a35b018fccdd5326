#pragma once

#include <memory>

#include "backends/vulkan/device.h"
#include "backends/vulkan/instance.h"

namespace weft::vulkan {

/// A VkDevice that Weft creates, on its own VkInstance, and destroys.
class OwnedDevice final : public Device {
 public:
  /// Creates a VkDevice with all features that Weft needs or can use.
  static std::shared_ptr<OwnedDevice> open(std::shared_ptr<Instance> instance, VkPhysicalDevice physical,
                                           const std::string& selector, const DeviceOptions& options);
  ~OwnedDevice() override;

  uint64_t validation_messages() const override { return (*instance_)->validation_messages(); }

 private:
  OwnedDevice(DeviceInfo info, const DeviceOptions& options, const Handles& handles, std::shared_ptr<Instance> instance,
              const FeatureChain& enabled);

  /// On the heap, so that it can be left behind without memory.
  std::unique_ptr<std::shared_ptr<Instance>> instance_;
  DeviceOwnerFunctions owner_;
};

}  // namespace weft::vulkan
