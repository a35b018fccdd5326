#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <weft/device_info.h>
#include <weft/messages.h>

#include "backends/vulkan/functions.h"

namespace weft::vulkan {

/// Where the validation layer's messages go.
struct ValidationMessages {
  MessageCallback callback;
  std::atomic<uint64_t> count = 0;
};

/// A VkInstance with its functions and, with validation, the messenger that counts and reports what the layer says.
class Instance {
 public:
  /// Throws Error(unsupported) with the reason when there is no loader, no driver, or no validation layer although
  /// asked for.
  explicit Instance(bool validation, MessageCallback messages = {});
  ~Instance();
  Instance(const Instance&) = delete;

  const InstanceFunctions& functions() const { return *functions_; }
  bool validation() const { return messenger_ != VK_NULL_HANDLE; }
  /// Version of the Vulkan headers that the validation layer knows; 0 without validation.
  uint32_t layer_version() const { return layer_version_; }
  uint64_t validation_messages() const { return validation_.count; }

  std::vector<VkPhysicalDevice> physical_devices() const;
  /// Extensions of a device that Weft may enable: those the validation layer, when on, knows too.
  std::set<std::string> device_extensions(VkPhysicalDevice device) const;

 private:
  void create(bool validation);
  void create_messenger();

  std::shared_ptr<const Loader> loader_;
  VkInstance instance_ = VK_NULL_HANDLE;
  std::unique_ptr<InstanceFunctions> functions_;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  uint32_t layer_version_ = 0;
  ValidationMessages validation_;
};

/// What the driver says of a device, in Weft's words. `refusal` is set when Weft cannot use it; `selector` is left
/// empty.
DeviceInfo describe(const Instance& instance, VkPhysicalDevice device);

}  // namespace weft::vulkan
