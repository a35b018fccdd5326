#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>
#include <memory>

/// Function tables. Each instance and each device has its own, so devices of different drivers can coexist. No symbol
/// of Weft has the name of a Vulkan function: an engine may link the Vulkan loader, or volk, into the same program.
namespace weft::vulkan {

/// Functions that need no instance.
#define WEFT_VULKAN_GLOBAL_FUNCTIONS(X)     \
  X(vkCreateInstance)                       \
  X(vkEnumerateInstanceVersion)             \
  X(vkEnumerateInstanceExtensionProperties) \
  X(vkEnumerateInstanceLayerProperties)

#define WEFT_VULKAN_INSTANCE_FUNCTIONS(X)     \
  X(vkDestroyInstance)                        \
  X(vkEnumeratePhysicalDevices)               \
  X(vkEnumerateDeviceExtensionProperties)     \
  X(vkGetPhysicalDeviceFeatures2)             \
  X(vkGetPhysicalDeviceProperties)            \
  X(vkGetPhysicalDeviceProperties2)           \
  X(vkGetPhysicalDeviceMemoryProperties)      \
  X(vkGetPhysicalDeviceQueueFamilyProperties) \
  X(vkCreateDevice)                           \
  X(vkGetDeviceProcAddr)

#define WEFT_VULKAN_INSTANCE_EXTENSION_FUNCTIONS(X) \
  X(vkCreateDebugUtilsMessengerEXT)                 \
  X(vkDestroyDebugUtilsMessengerEXT)

#define WEFT_VULKAN_DEVICE_FUNCTIONS(X) \
  X(vkAllocateCommandBuffers)           \
  X(vkAllocateDescriptorSets)           \
  X(vkAllocateMemory)                   \
  X(vkBeginCommandBuffer)               \
  X(vkBindBufferMemory)                 \
  X(vkCmdBindDescriptorSets)            \
  X(vkCmdBindPipeline)                  \
  X(vkCmdCopyBuffer)                    \
  X(vkCmdDispatch)                      \
  X(vkCmdDispatchIndirect)              \
  X(vkCmdPipelineBarrier2)              \
  X(vkCmdPushConstants)                 \
  X(vkCmdWriteTimestamp2)               \
  X(vkCreateBuffer)                     \
  X(vkCreateCommandPool)                \
  X(vkCreateComputePipelines)           \
  X(vkCreateDescriptorPool)             \
  X(vkCreateDescriptorSetLayout)        \
  X(vkCreatePipelineCache)              \
  X(vkCreatePipelineLayout)             \
  X(vkCreateQueryPool)                  \
  X(vkCreateSemaphore)                  \
  X(vkCreateShaderModule)               \
  X(vkDestroyBuffer)                    \
  X(vkDestroyCommandPool)               \
  X(vkDestroyDescriptorPool)            \
  X(vkDestroyDescriptorSetLayout)       \
  X(vkDestroyDevice)                    \
  X(vkDestroyPipeline)                  \
  X(vkDestroyPipelineCache)             \
  X(vkDestroyPipelineLayout)            \
  X(vkDestroyQueryPool)                 \
  X(vkDestroySemaphore)                 \
  X(vkDestroyShaderModule)              \
  X(vkDeviceWaitIdle)                   \
  X(vkEndCommandBuffer)                 \
  X(vkFreeMemory)                       \
  X(vkGetBufferDeviceAddress)           \
  X(vkGetBufferMemoryRequirements)      \
  X(vkGetDeviceQueue)                   \
  X(vkGetPipelineCacheData)             \
  X(vkGetQueryPoolResults)              \
  X(vkGetSemaphoreCounterValue)         \
  X(vkMapMemory)                        \
  X(vkQueueSubmit2)                     \
  X(vkResetCommandBuffer)               \
  X(vkResetDescriptorPool)              \
  X(vkResetQueryPool)                   \
  X(vkUpdateDescriptorSets)             \
  X(vkWaitSemaphores)

#define WEFT_DECLARE_FUNCTION(name) PFN_##name name = nullptr;

/// The Vulkan loader, opened at run time.
struct Loader {
  /// Opens libvulkan.so.1. Throws unsupported, with the reason, if that fails.
  static std::shared_ptr<const Loader> open();
  /// Uses a host application's loader, which is never closed.
  explicit Loader(PFN_vkGetInstanceProcAddr get);
  Loader(const Loader&) = delete;
  ~Loader();

  PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr = nullptr;
  WEFT_VULKAN_GLOBAL_FUNCTIONS(WEFT_DECLARE_FUNCTION)

 private:
  void* library_ = nullptr;
};

struct InstanceFunctions {
  InstanceFunctions(const Loader& loader, VkInstance instance);
  WEFT_VULKAN_INSTANCE_FUNCTIONS(WEFT_DECLARE_FUNCTION)
  WEFT_VULKAN_INSTANCE_EXTENSION_FUNCTIONS(WEFT_DECLARE_FUNCTION)  ///< Null without the extension.
};

struct DeviceFunctions {
  DeviceFunctions(const InstanceFunctions& instance, VkDevice device);
  WEFT_VULKAN_DEVICE_FUNCTIONS(WEFT_DECLARE_FUNCTION)
};

#undef WEFT_DECLARE_FUNCTION

}  // namespace weft::vulkan
