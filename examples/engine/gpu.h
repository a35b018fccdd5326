#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Throws std::runtime_error unless `result` is VK_SUCCESS.
void check(VkResult result, const char* what);

/// The engine's instance, device and queue. The engine creates and destroys them, and Weft only uses them.
class Gpu {
 public:
  struct Options {
    /// Not null: runs under the Khronos validation layer, with synchronization validation, and counts its warnings and
    /// errors here, also those about objects that are left at the end. They are printed too.
    uint32_t* messages = nullptr;
    std::vector<const char*> instance_extensions, device_extensions;
    std::function<VkSurfaceKHR(VkInstance)> make_surface;  ///< Empty: no window.
  };
  /// Takes the first discrete GPU with Vulkan 1.3 and a queue for graphics, compute and the surface; without one, the
  /// first other device.
  explicit Gpu(const Options& options);
  ~Gpu();
  Gpu(const Gpu&) = delete;

  static constexpr uint32_t version = VK_API_VERSION_1_3;

  VkInstance instance = VK_NULL_HANDLE;
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  uint32_t family = 0;
  VkQueue queue = VK_NULL_HANDLE;
  std::string name;  ///< Of the device.

  /// The chain that vkCreateDevice was given.
  const VkPhysicalDeviceFeatures2& enabled_features() const { return enabled_.core; }

 private:
  struct Features {
    Features() {
      core.pNext = &v11;
      v11.pNext = &v12;
      v12.pNext = &v13;
    }
    VkPhysicalDeviceFeatures2 core{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    VkPhysicalDeviceVulkan11Features v11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
    VkPhysicalDeviceVulkan12Features v12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceVulkan13Features v13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  };

  void create_instance(const Options& options);
  void choose_device();
  void create_device(const Options& options);
  bool choose_family(VkPhysicalDevice candidate);

  Features enabled_;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
};
