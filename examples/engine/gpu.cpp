#include "gpu.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include <weft/interop/vulkan.h>

namespace {

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data, void* counter) {
  ++*static_cast<uint32_t*>(counter);
  const char* const id = data->pMessageIdName ? data->pMessageIdName : "";
  std::fprintf(stderr, "engine: validation: %s: %s\n", id, data->pMessage);
  return VK_FALSE;
}

}  // namespace

void check(VkResult result, const char* what) {
  if (result != VK_SUCCESS) throw std::runtime_error(std::string(what) + " failed: VkResult " + std::to_string(result));
}

Gpu::Gpu(const Options& options) {
  create_instance(options);
  if (options.make_surface) surface = options.make_surface(instance);
  choose_device();
  create_device(options);
}

Gpu::~Gpu() {
  vkDestroyDevice(device, nullptr);
  if (surface) vkDestroySurfaceKHR(instance, surface, nullptr);
  if (messenger_) {
    const auto destroy = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(instance, "vkDestroyDebugUtilsMessengerEXT"));
    destroy(instance, messenger_, nullptr);
  }
  vkDestroyInstance(instance, nullptr);
}

void Gpu::create_instance(const Options& options) {
  const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = version};
  std::vector<const char*> extensions = options.instance_extensions, layers;
  const VkValidationFeatureEnableEXT synchronization = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  const VkValidationFeaturesEXT validation{.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                           .enabledValidationFeatureCount = 1,
                                           .pEnabledValidationFeatures = &synchronization};
  const VkDebugUtilsMessengerCreateInfoEXT messenger{
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .pNext = &validation,
      .messageSeverity =
          VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
      .pfnUserCallback = on_message,
      .pUserData = options.messages};
  if (options.messages) {
    layers.push_back("VK_LAYER_KHRONOS_validation");
    extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  }
  const VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                  .pNext = options.messages ? &messenger : nullptr,
                                  .pApplicationInfo = &application,
                                  .enabledLayerCount = uint32_t(layers.size()),
                                  .ppEnabledLayerNames = layers.data(),
                                  .enabledExtensionCount = uint32_t(extensions.size()),
                                  .ppEnabledExtensionNames = extensions.data()};
  check(vkCreateInstance(&info, nullptr, &instance), "vkCreateInstance");
  if (!options.messages) return;
  const auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
      vkGetInstanceProcAddr(instance, "vkCreateDebugUtilsMessengerEXT"));
  VkDebugUtilsMessengerCreateInfoEXT lasting = messenger;
  lasting.pNext = nullptr;
  check(create(instance, &lasting, nullptr, &messenger_), "vkCreateDebugUtilsMessengerEXT");
}

bool Gpu::choose_family(VkPhysicalDevice candidate) {
  uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(candidate, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(candidate, &count, families.data());
  constexpr VkQueueFlags wanted = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
  for (family = 0; family < count; ++family) {
    VkBool32 presents = VK_TRUE;
    if (surface) vkGetPhysicalDeviceSurfaceSupportKHR(candidate, family, surface, &presents);
    if ((families[family].queueFlags & wanted) == wanted && presents) return true;
  }
  return false;
}

void Gpu::choose_device() {
  uint32_t count = 0;
  vkEnumeratePhysicalDevices(instance, &count, nullptr);
  std::vector<VkPhysicalDevice> candidates(count);
  vkEnumeratePhysicalDevices(instance, &count, candidates.data());
  const auto properties_of = [](VkPhysicalDevice candidate) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(candidate, &properties);
    return properties;
  };
  std::ranges::stable_partition(candidates, [&](VkPhysicalDevice candidate) {
    return properties_of(candidate).deviceType == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  });
  const auto chosen = std::ranges::find_if(candidates, [&](VkPhysicalDevice candidate) {
    return properties_of(candidate).apiVersion >= version && choose_family(candidate);
  });
  if (chosen == candidates.end()) throw std::runtime_error("no device has Vulkan 1.3 and a queue for the engine");
  physical = *chosen;
  name = properties_of(physical).deviceName;
}

void Gpu::create_device(const Options& options) {
  Features supported;
  vkGetPhysicalDeviceFeatures2(physical, &supported.core);
  enabled_.v13.dynamicRendering = enabled_.v13.synchronization2 = VK_TRUE;  // what the engine itself needs
  weft::vulkan::enable(enabled_.core, supported.core);                      // and what Weft can use

  const float priority = 1;
  const VkDeviceQueueCreateInfo queues{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                       .queueFamilyIndex = family,
                                       .queueCount = 1,
                                       .pQueuePriorities = &priority};
  const VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                .pNext = &enabled_.core,
                                .queueCreateInfoCount = 1,
                                .pQueueCreateInfos = &queues,
                                .enabledExtensionCount = uint32_t(options.device_extensions.size()),
                                .ppEnabledExtensionNames = options.device_extensions.data()};
  check(vkCreateDevice(physical, &info, nullptr, &device), "vkCreateDevice");
  vkGetDeviceQueue(device, family, 0, &queue);
}
