// Weft in a program that owns its Vulkan device: sorts a buffer of the program's in a command buffer of the program's.
// An engine has most of this already; what it adds is marked (1) to (4). See docs/embedding.md.
#include <vulkan/vulkan.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <weft/interop/vulkan.h>
#include <weft/sort.h>

namespace {

void check(VkResult result, const char* what) {
  if (result == VK_SUCCESS) return;
  std::fprintf(stderr, "%s failed: %d\n", what, int(result));
  std::exit(1);
}

uint32_t host_visible_type(VkPhysicalDevice physical, uint32_t allowed) {
  constexpr VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VkPhysicalDeviceMemoryProperties properties;
  vkGetPhysicalDeviceMemoryProperties(physical, &properties);
  uint32_t type = 0;
  while (!(allowed >> type & 1) || (properties.memoryTypes[type].propertyFlags & wanted) != wanted) ++type;
  return type;
}

void barrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkAccessFlags before, VkPipelineStageFlags to,
             VkAccessFlags behind) {
  const VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, before, behind};
  vkCmdPipelineBarrier(commands, from, to, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

}  // namespace

int main() {
  constexpr uint32_t count = 100'000;

  // The program's instance and device.
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo instance_info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  instance_info.pApplicationInfo = &application;
  VkInstance instance;
  check(vkCreateInstance(&instance_info, nullptr, &instance), "vkCreateInstance");
  uint32_t one = 1;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  vkEnumeratePhysicalDevices(instance, &one, &physical);
  if (!physical) {
    std::fprintf(stderr, "no Vulkan device\n");
    return 1;
  }
  uint32_t family_count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &family_count, nullptr);
  std::vector<VkQueueFamilyProperties> families(family_count);
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &family_count, families.data());
  uint32_t family = 0;
  while (!(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT)) ++family;

  struct Features {
    Features() {
      core.pNext = &v12;
      v12.pNext = &v13;
    }
    VkPhysicalDeviceFeatures2 core{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    VkPhysicalDeviceVulkan12Features v12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceVulkan13Features v13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  } supported, wanted;
  vkGetPhysicalDeviceFeatures2(physical, &supported.core);
  weft::vulkan::enable(wanted.core, supported.core);  // (1)

  const float priority = 1;
  VkDeviceQueueCreateInfo queue_info{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue_info.queueFamilyIndex = family;
  queue_info.queueCount = 1;
  queue_info.pQueuePriorities = &priority;
  VkDeviceCreateInfo device_info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &wanted.core};
  device_info.queueCreateInfoCount = 1;
  device_info.pQueueCreateInfos = &queue_info;
  VkDevice device;
  check(vkCreateDevice(physical, &device_info, nullptr, &device), "vkCreateDevice");
  VkQueue queue;
  vkGetDeviceQueue(device, family, 0, &queue);

  // A buffer of keys.
  VkBufferCreateInfo buffer_info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  buffer_info.size = count * sizeof(uint32_t);
  buffer_info.usage = weft::vulkan::buffer_usage();
  VkBuffer buffer;
  check(vkCreateBuffer(device, &buffer_info, nullptr, &buffer), "vkCreateBuffer");
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer, &needs);
  VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo memory_info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags};
  memory_info.allocationSize = needs.size;
  memory_info.memoryTypeIndex = host_visible_type(physical, needs.memoryTypeBits);
  VkDeviceMemory memory;
  check(vkAllocateMemory(device, &memory_info, nullptr, &memory), "vkAllocateMemory");
  check(vkBindBufferMemory(device, buffer, memory, 0), "vkBindBufferMemory");
  void* mapped;
  check(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
  auto* const keys = static_cast<uint32_t*>(mapped);
  for (uint32_t i = 0; i < count; ++i) keys[i] = i * 2654435761u;

  VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.queueFamilyIndex = family;
  VkCommandPool pool;
  check(vkCreateCommandPool(device, &pool_info, nullptr, &pool), "vkCreateCommandPool");
  VkCommandBufferAllocateInfo commands_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  commands_info.commandPool = pool;
  commands_info.commandBufferCount = 1;
  VkCommandBuffer commands;
  check(vkAllocateCommandBuffers(device, &commands_info, &commands), "vkAllocateCommandBuffers");

  try {
    // (2) At load time: wrap the device, make plans and an arena.
    weft::vulkan::HostDevice host;
    host.instance = instance;
    host.physical_device = physical;
    host.device = device;
    host.get_proc_addr = reinterpret_cast<weft::vulkan::GetProcAddr>(vkGetInstanceProcAddr);
    host.instance_version = application.apiVersion;
    host.enabled_features = &wanted.core;
    const weft::Device weft_device = weft::vulkan::wrap_device(host);
    const weft::Sort sort(weft_device, weft::Element::of<uint32_t>(), count);
    weft::vulkan::RecordingArena arena(weft_device, sort.temporary_bytes());

    // (3) In the frame: record between two barriers.
    const VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    check(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    const weft::vulkan::Access first = weft::vulkan::first_access(), last = weft::vulkan::last_access();
    barrier(commands, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_WRITE_BIT, VkPipelineStageFlags(first.stages),
            VkAccessFlags(first.accesses));
    {
      const auto wrapped =
          weft::vulkan::wrap_buffer<uint32_t>(weft_device, {buffer, 0, count * sizeof(uint32_t)}, count);
      weft::vulkan::Recording recording = arena.record(commands, 1);
      sort.record(recording, {.keys = wrapped,
                              .keys_out = wrapped,
                              .count = count,
                              .temporary = recording.scratch(sort.temporary_bytes())});
    }
    barrier(commands, VkPipelineStageFlags(last.stages), VkAccessFlags(last.accesses), VK_PIPELINE_STAGE_HOST_BIT,
            VK_ACCESS_HOST_READ_BIT);
    check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands;
    check(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
    check(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
    arena.finished(1);  // (4)
  } catch (const weft::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }

  const bool sorted = std::is_sorted(keys, keys + count);
  std::printf("%u keys in the program's own buffer: %s\n", count, sorted ? "sorted" : "not sorted");
  vkDestroyCommandPool(device, pool, nullptr);
  vkDestroyBuffer(device, buffer, nullptr);
  vkFreeMemory(device, memory, nullptr);
  vkDestroyDevice(device, nullptr);
  vkDestroyInstance(instance, nullptr);
  return sorted ? 0 : 1;
}
