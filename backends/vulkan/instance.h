#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <weft/messages.h>

#include "backends/vulkan/functions.h"

namespace weft::vulkan {

/// The receiver of the validation layer's messages.
struct ValidationMessages {
  MessageCallback callback;
  std::atomic<uint64_t> count = 0;
};

/// A VkInstance, its functions and, with validation, the messenger that counts and reports the layer's messages.
class Instance {
 public:
  /// Throws unsupported, with the reason, if the loader, a driver or a requested validation layer is missing.
  explicit Instance(bool validation, MessageCallback messages = {});
  ~Instance();
  Instance(const Instance&) = delete;

  const InstanceFunctions& functions() const { return *functions_; }
  const InstanceOwnerFunctions& owner() const { return *owner_; }
  bool validation() const { return messenger_ != VK_NULL_HANDLE; }
  /// Version of the Vulkan headers that the validation layer was built with; 0 without validation.
  uint32_t layer_version() const { return layer_version_; }
  /// Whether commands can be labelled. Validation layers before 1.3.242 keep the labels of all command buffers in one
  /// table, which a command pool's destruction changes without a lock, so with labels they crash now and then.
  bool has_labels() const { return !validation() || layer_version_ >= VK_MAKE_API_VERSION(0, 1, 3, 242); }
  uint64_t validation_messages() const { return validation_.count; }

  std::vector<VkPhysicalDevice> physical_devices() const;
  /// The device extensions that Weft may enable. With validation, only those that the layer supports.
  std::set<std::string> device_extensions(VkPhysicalDevice device) const;

 private:
  void create(bool validation);
  void create_messenger();

  Loader loader_;
  VkInstance instance_ = VK_NULL_HANDLE;
  std::unique_ptr<InstanceFunctions> functions_;
  std::unique_ptr<InstanceOwnerFunctions> owner_;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  uint32_t layer_version_ = 0;
  ValidationMessages validation_;
};

}  // namespace weft::vulkan
