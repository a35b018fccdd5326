#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <functional>

#include "core/src/platform/library.h"

/// Function tables. Each instance and each device has its own, so devices of different drivers can coexist. No symbol
/// of Weft has the name of a Vulkan function: an engine may link the Vulkan loader, or volk, into the same program.
namespace weft::vulkan {

/// Functions that need no instance.
#define WEFT_VULKAN_GLOBAL_FUNCTIONS(X)     \
  X(vkCreateInstance)                       \
  X(vkEnumerateInstanceVersion)             \
  X(vkEnumerateInstanceExtensionProperties) \
  X(vkEnumerateInstanceLayerProperties)

/// Queries of a physical device, for owned and wrapped devices.
#define WEFT_VULKAN_INSTANCE_FUNCTIONS(X)           \
  X(vkGetPhysicalDeviceExternalBufferProperties)    \
  X(vkGetPhysicalDeviceExternalSemaphoreProperties) \
  X(vkGetPhysicalDeviceMemoryProperties)            \
  X(vkGetPhysicalDeviceProperties)                  \
  X(vkGetPhysicalDeviceProperties2)                 \
  X(vkGetPhysicalDeviceQueueFamilyProperties)

/// Functions that only the owner of an instance calls.
#define WEFT_VULKAN_INSTANCE_OWNER_FUNCTIONS(X) \
  X(vkDestroyInstance)                          \
  X(vkEnumeratePhysicalDevices)                 \
  X(vkEnumerateDeviceExtensionProperties)       \
  X(vkGetPhysicalDeviceFeatures2)               \
  X(vkCreateDevice)                             \
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
  X(vkCmdPipelineBarrier)               \
  X(vkCmdPushConstants)                 \
  X(vkCmdWriteTimestamp)                \
  X(vkCreateBuffer)                     \
  X(vkCreateCommandPool)                \
  X(vkCreateComputePipelines)           \
  X(vkCreateDescriptorPool)             \
  X(vkCreateDescriptorSetLayout)        \
  X(vkCreateFence)                      \
  X(vkCreatePipelineCache)              \
  X(vkCreatePipelineLayout)             \
  X(vkCreateQueryPool)                  \
  X(vkCreateSemaphore)                  \
  X(vkCreateShaderModule)               \
  X(vkDestroyBuffer)                    \
  X(vkDestroyCommandPool)               \
  X(vkDestroyDescriptorPool)            \
  X(vkDestroyDescriptorSetLayout)       \
  X(vkDestroyFence)                     \
  X(vkDestroyPipeline)                  \
  X(vkDestroyPipelineCache)             \
  X(vkDestroyPipelineLayout)            \
  X(vkDestroyQueryPool)                 \
  X(vkDestroySemaphore)                 \
  X(vkDestroyShaderModule)              \
  X(vkEndCommandBuffer)                 \
  X(vkFreeDescriptorSets)               \
  X(vkFreeMemory)                       \
  X(vkGetBufferDeviceAddress)           \
  X(vkGetBufferMemoryRequirements)      \
  X(vkGetPipelineCacheData)             \
  X(vkGetQueryPoolResults)              \
  X(vkGetSemaphoreCounterValue)         \
  X(vkMapMemory)                        \
  X(vkQueueSubmit)                      \
  X(vkResetCommandBuffer)               \
  X(vkResetQueryPool)                   \
  X(vkUpdateDescriptorSets)             \
  X(vkWaitForFences)                    \
  X(vkWaitSemaphores)

/// Functions of Vulkan 1.3, and of VK_KHR_synchronization2 with the suffix KHR.
#define WEFT_VULKAN_SYNCHRONIZATION2_FUNCTIONS(X) \
  X(vkCmdPipelineBarrier2)                        \
  X(vkCmdWriteTimestamp2)                         \
  X(vkQueueSubmit2)

/// Functions of VK_KHR_external_memory_fd and VK_KHR_external_semaphore_fd.
#define WEFT_VULKAN_EXTERNAL_FUNCTIONS(X) \
  X(vkGetMemoryFdKHR)                     \
  X(vkGetSemaphoreFdKHR)

/// Functions that only the owner of a device calls.
#define WEFT_VULKAN_DEVICE_OWNER_FUNCTIONS(X) \
  X(vkDestroyDevice)                          \
  X(vkDeviceWaitIdle)                         \
  X(vkGetDeviceQueue)

/// Functions of VK_EXT_debug_utils, which an instance may have enabled.
#define WEFT_VULKAN_DEBUG_FUNCTIONS(X) \
  X(vkCmdBeginDebugUtilsLabelEXT)      \
  X(vkCmdEndDebugUtilsLabelEXT)        \
  X(vkCmdInsertDebugUtilsLabelEXT)     \
  X(vkSetDebugUtilsObjectNameEXT)

#define WEFT_DECLARE_FUNCTION(name) PFN_##name name = nullptr;

/// Finds a function by name; returns null if there is none.
using FindFunction = std::function<PFN_vkVoidFunction(const char* name)>;

/// The Vulkan loader, opened at run time.
struct Loader {
  /// Opens the system's loader. Throws unsupported with the reason if that fails.
  Loader();
  Loader(const Loader&) = delete;

  PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr = nullptr;
  WEFT_VULKAN_GLOBAL_FUNCTIONS(WEFT_DECLARE_FUNCTION)

 private:
  core::DynamicLibrary library_;
};

struct InstanceFunctions {
  /// Throws unsupported with the name of a missing function, as the other tables do.
  explicit InstanceFunctions(const FindFunction& find);
  WEFT_VULKAN_INSTANCE_FUNCTIONS(WEFT_DECLARE_FUNCTION)
};

struct InstanceOwnerFunctions {
  explicit InstanceOwnerFunctions(const FindFunction& find);
  WEFT_VULKAN_INSTANCE_OWNER_FUNCTIONS(WEFT_DECLARE_FUNCTION)
  WEFT_VULKAN_INSTANCE_EXTENSION_FUNCTIONS(WEFT_DECLARE_FUNCTION)  ///< Null without the extension.
};

struct DeviceFunctions {
  /// `version` is the one of Vulkan that the device may be used with.
  DeviceFunctions(const FindFunction& find, uint32_t version);
  WEFT_VULKAN_DEVICE_FUNCTIONS(WEFT_DECLARE_FUNCTION)
  WEFT_VULKAN_SYNCHRONIZATION2_FUNCTIONS(WEFT_DECLARE_FUNCTION)  ///< Null without them.
};

/// Null without the extension.
struct DebugFunctions {
  explicit DebugFunctions(const FindFunction& find);
  WEFT_VULKAN_DEBUG_FUNCTIONS(WEFT_DECLARE_FUNCTION)
};

/// Null without their extensions.
struct ExternalFunctions {
  explicit ExternalFunctions(const FindFunction& find);
  WEFT_VULKAN_EXTERNAL_FUNCTIONS(WEFT_DECLARE_FUNCTION)
};

struct DeviceOwnerFunctions {
  explicit DeviceOwnerFunctions(const FindFunction& find);
  WEFT_VULKAN_DEVICE_OWNER_FUNCTIONS(WEFT_DECLARE_FUNCTION)
};

#undef WEFT_DECLARE_FUNCTION

}  // namespace weft::vulkan
