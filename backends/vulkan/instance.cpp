#include "backends/vulkan/instance.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <weft/error.h>

#include "backends/vulkan/errors.h"
#include "backends/vulkan/features.h"
#include "core/src/runtime/messages.h"

namespace weft::vulkan {

namespace {

constexpr const char* validation_layer = "VK_LAYER_KHRONOS_validation";

/// Calls a Vulkan enumeration function twice: for the count, then for the items.
template <typename Item, typename Enumerate>
std::vector<Item> enumerate(const char* what, Enumerate call) {
  uint32_t count = 0;
  check(call(&count, static_cast<Item*>(nullptr)), what);
  std::vector<Item> items(count);
  check(call(&count, items.data()), what);
  items.resize(count);
  return items;
}

/// Returns the message with its id, which the layers of later SDKs (seen in 1.4.309) no longer write into the text.
std::string text_of(const VkDebugUtilsMessengerCallbackDataEXT& data) {
  const std::string text = data.pMessage, id = data.pMessageIdName ? data.pMessageIdName : "";
  return id.empty() || text.find(id) != std::string::npos ? text : id + ": " + text;
}

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                          VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data, void* taker) {
  auto& messages = *static_cast<ValidationMessages*>(taker);
  ++messages.count;
  core::report(
      messages.callback,
      severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT ? MessageSeverity::error : MessageSeverity::warning,
      "validation: " + text_of(*data));
  return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messenger_info(ValidationMessages* messages) {
  VkDebugUtilsMessengerCreateInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
  info.pfnUserCallback = on_message;
  info.pUserData = messages;
  return info;
}

}  // namespace

Instance::Instance(bool validation, MessageCallback messages) : validation_{std::move(messages)} {
  create(validation);
  const FindFunction find = [this](const char* name) { return loader_.vkGetInstanceProcAddr(instance_, name); };
  functions_ = std::make_unique<InstanceFunctions>(find);
  owner_ = std::make_unique<InstanceOwnerFunctions>(find);
  if (validation) create_messenger();
}

Instance::~Instance() {
  if (messenger_) owner_->vkDestroyDebugUtilsMessengerEXT(instance_, messenger_, nullptr);
  owner_->vkDestroyInstance(instance_, nullptr);
}

void Instance::create(bool validation) {
  uint32_t version = 0;
  check(loader_.vkEnumerateInstanceVersion(&version), "asking the Vulkan loader for its version");
  if (version < VK_API_VERSION_1_3) {
    throw Error(ErrorCode::unsupported, "the Vulkan loader is older than Vulkan 1.3; update it (libvulkan1)");
  }
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pEngineName = "weft";
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;

  // In the chain, the messenger's create info covers vkCreateInstance itself.
  const char* extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  const VkValidationFeatureEnableEXT synchronization = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  VkValidationFeaturesEXT features{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
  features.enabledValidationFeatureCount = 1;
  features.pEnabledValidationFeatures = &synchronization;
  const VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info(&validation_);
  features.pNext = &messenger;
  if (validation) {
    auto layers = enumerate<VkLayerProperties>("listing Vulkan layers", [&](uint32_t* count, VkLayerProperties* items) {
      return loader_.vkEnumerateInstanceLayerProperties(count, items);
    });
    auto layer = std::ranges::find_if(layers, [](auto& l) { return !std::strcmp(l.layerName, validation_layer); });
    if (layer == layers.end()) {
      throw Error(ErrorCode::unsupported, std::string("validation was asked for, but ") + validation_layer +
                                              " is not installed (Debian: vulkan-validationlayers)");
    }
    layer_version_ = layer->specVersion;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &validation_layer;
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = &extension;
    info.pNext = &features;
  }
  const VkResult result = loader_.vkCreateInstance(&info, nullptr, &instance_);
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER) {
    throw Error(ErrorCode::unsupported,
                "the Vulkan loader found no driver; install one, or name its JSON file in VK_DRIVER_FILES");
  }
  check(result, "creating a Vulkan instance");
}

void Instance::create_messenger() {
  const VkDebugUtilsMessengerCreateInfoEXT info = messenger_info(&validation_);
  check(owner_->vkCreateDebugUtilsMessengerEXT(instance_, &info, nullptr, &messenger_),
        "creating the validation messenger");
}

std::vector<VkPhysicalDevice> Instance::physical_devices() const {
  return enumerate<VkPhysicalDevice>("listing Vulkan devices", [&](uint32_t* count, VkPhysicalDevice* items) {
    return owner_->vkEnumeratePhysicalDevices(instance_, count, items);
  });
}

std::set<std::string> Instance::device_extensions(VkPhysicalDevice device) const {
  auto properties =
      enumerate<VkExtensionProperties>("listing device extensions", [&](uint32_t* count, VkExtensionProperties* items) {
        return owner_->vkEnumerateDeviceExtensionProperties(device, nullptr, count, items);
      });
  std::set<std::string> names;
  for (const auto& p : properties) names.insert(p.extensionName);
  // A layer older than an extension reports its structures as errors, so such an extension stays disabled.
  for (const Feature& f : features()) {
    if (validation() && f.since > layer_version_) names.erase(f.extension);
  }
  return names;
}

}  // namespace weft::vulkan
