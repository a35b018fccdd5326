#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <weft/interop/vulkan.h>

/// A program that owns a Vulkan device, as an engine does, with its own instance, queue, memory and frames. Counts
/// Weft's calls of the functions that it provides.
namespace weft::test {

#define WEFT_TEST_HOST_FUNCTIONS(X)       \
  X(vkAllocateCommandBuffers)             \
  X(vkAllocateMemory)                     \
  X(vkBeginCommandBuffer)                 \
  X(vkBindBufferMemory)                   \
  X(vkCmdCopyBuffer)                      \
  X(vkCmdExecuteCommands)                 \
  X(vkCmdPipelineBarrier)                 \
  X(vkCreateBuffer)                       \
  X(vkCreateCommandPool)                  \
  X(vkCreateDevice)                       \
  X(vkCreateFence)                        \
  X(vkCreatePipelineCache)                \
  X(vkCreateSemaphore)                    \
  X(vkDestroyBuffer)                      \
  X(vkDestroyCommandPool)                 \
  X(vkDestroyDevice)                      \
  X(vkDestroyFence)                       \
  X(vkDestroyInstance)                    \
  X(vkDestroyPipelineCache)               \
  X(vkDestroySemaphore)                   \
  X(vkDeviceWaitIdle)                     \
  X(vkEndCommandBuffer)                   \
  X(vkEnumerateDeviceExtensionProperties) \
  X(vkEnumeratePhysicalDevices)           \
  X(vkFreeMemory)                         \
  X(vkGetBufferDeviceAddress)             \
  X(vkGetBufferMemoryRequirements)        \
  X(vkGetDeviceQueue)                     \
  X(vkGetPhysicalDeviceFeatures2)         \
  X(vkGetPhysicalDeviceMemoryProperties)  \
  X(vkGetPhysicalDeviceProperties)        \
  X(vkGetPhysicalDeviceProperties2)       \
  X(vkGetPipelineCacheData)               \
  X(vkGetSemaphoreCounterValue)           \
  X(vkMapMemory)                          \
  X(vkQueueSubmit)                        \
  X(vkResetFences)                        \
  X(vkSignalSemaphore)                    \
  X(vkWaitForFences)                      \
  X(vkWaitSemaphores)

/// The features that a host enables.
struct HostFeatures {
  enum class Chain { versions, single } chain = Chain::versions;
  bool minimum = false;          ///< bufferDeviceAddress alone.
  bool timelines = true;         ///< With `minimum`: timelineSemaphore too.
  bool buffer_addresses = true;  ///< Weft refuses the device if this is off.
  bool descriptors = false;      ///< The extensions for sharing by file descriptor, as far as the driver has them.
  uint32_t version =
      VK_API_VERSION_1_3;               ///< Of the instance. Below 1.3, the chain ends before that version's structure.
  std::vector<std::string> extensions;  ///< Of the device, as far as the driver has them.
  void* chained = nullptr;              ///< A structure of features, the last of the chain; not with Chain::single.
  bool vertex_stores = false;           ///< For the host's own shaders: vertexPipelineStoresAndAtomics.
  PFN_vkGetInstanceProcAddr loader = nullptr;  ///< Of the host and of Weft; null: the system's, counted for Weft.
};

/// A mapped buffer of the host.
struct HostMemoryBlock {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  uint64_t bytes = 0, address = 0;
  std::byte* data = nullptr;

  template <typename T>
  T* as(uint64_t offset = 0) const {
    return reinterpret_cast<T*>(data + offset);
  }
  vulkan::HostBuffer part(uint64_t offset, uint64_t size) const {
    return {buffer, offset, size, address + offset, data + offset};
  }
  vulkan::HostBuffer all() const { return part(0, bytes); }
};

class Host {
 public:
  explicit Host(const HostFeatures& features = {});
  ~Host();
  Host(const Host&) = delete;

  /// The arguments of wrap_device().
  vulkan::HostDevice description();

  HostMemoryBlock make_buffer(uint64_t bytes, VkBufferUsageFlags usage = vulkan::buffer_usage());
  void destroy(const HostMemoryBlock& block);

  /// Each has its own pool, so threads may record at the same time.
  VkCommandBuffer make_commands(VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  void begin(VkCommandBuffer commands, VkCommandBufferUsageFlags usage = 0, bool secondary = false);
  /// Order Weft's commands after the host's writes, and the host's reads after Weft's commands, by Weft's masks.
  void barrier_before(VkCommandBuffer commands);
  void barrier_behind(VkCommandBuffer commands);
  void end(VkCommandBuffer commands);
  /// Submits and waits.
  void run(VkCommandBuffer commands);
  /// Records with `record`, ends, submits and waits.
  void run(const std::function<void(VkCommandBuffer)>& record);

  VkSemaphore make_timeline();
  void submit_timeline(VkCommandBuffer commands, VkSemaphore wait, uint64_t wait_value, VkSemaphore signal,
                       uint64_t signal_value);

  /// Calls that Weft has made so far, by name.
  static std::map<std::string, uint64_t> calls();
  /// Calls that Weft makes during `work`.
  static std::map<std::string, uint64_t> calls_of(const std::function<void()>& work);
  /// All names that Weft has passed to the host's vkGetInstanceProcAddr.
  static std::set<std::string> asked_names();
  /// Number of live allocations by Weft through the callbacks.
  static int64_t live_allocations();
  /// Number of messages of the validation layer.
  uint64_t messages() const { return messages_; }
  /// Whether the device was created with this extension.
  bool has(const std::string& extension) const { return extensions_.contains(extension); }
  /// Whether the validation layer is on, and with it VK_EXT_debug_utils: WEFT_VALIDATION=1.
  bool validates() const { return messenger_ != VK_NULL_HANDLE; }
  /// Flags of the queue families as Weft sees them from now on; 0: the driver's.
  static void pretend_family(VkQueueFlags flags);
  /// Number of times that Weft took the queue's lock.
  uint64_t locked_submissions() const { return locks_; }

#define WEFT_TEST_MEMBER(name) PFN_##name name = nullptr;
  WEFT_TEST_HOST_FUNCTIONS(WEFT_TEST_MEMBER)
#undef WEFT_TEST_MEMBER

  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  VkPipelineCache pipeline_cache = VK_NULL_HANDLE;
  VkAllocationCallbacks callbacks{};

 private:
  void make_instance();
  void make_device();
  void lock();
  void unlock();

  void choose_extensions();

  HostFeatures features_;
  std::set<std::string> extensions_;
  VkPhysicalDeviceFeatures2 enabled_{};
  VkPhysicalDeviceVulkan11Features v11_{};
  VkPhysicalDeviceVulkan12Features v12_{};
  VkPhysicalDeviceVulkan13Features v13_{};
  VkPhysicalDeviceBufferDeviceAddressFeatures address_{};
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline_{};
  VkPhysicalDeviceVulkanMemoryModelFeatures memory_model_{};
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  std::vector<VkSemaphore> semaphores_;
  std::vector<HostMemoryBlock> blocks_;
  std::vector<VkCommandPool> pools_;
  VkFence fence_ = VK_NULL_HANDLE;
  uint64_t messages_ = 0, locks_ = 0;
  std::recursive_mutex mutex_;
};

}  // namespace weft::test
