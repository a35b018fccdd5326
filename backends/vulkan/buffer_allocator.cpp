#include "backends/vulkan/buffer_allocator.h"

#include <optional>
#include <string>

#include <weft/error.h>

#include "backends/vulkan/device.h"
#include "backends/vulkan/errors.h"
#include "core/src/runtime/messages.h"

namespace weft::vulkan {

namespace {

constexpr VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags visible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

/// The first memory type in the mask `allowed` with all `wanted` properties and none of `unwanted`.
std::optional<uint32_t> find_type(const VkPhysicalDeviceMemoryProperties& memory, uint32_t allowed,
                                  VkMemoryPropertyFlags wanted, VkMemoryPropertyFlags unwanted) {
  for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    const VkMemoryPropertyFlags has = memory.memoryTypes[i].propertyFlags;
    if ((allowed >> i & 1) && (has & wanted) == wanted && (has & unwanted) == 0) return i;
  }
  return std::nullopt;
}

uint32_t choose_type(const VkPhysicalDeviceMemoryProperties& memory, uint32_t allowed, MemoryUse use) {
  struct Wish {
    VkMemoryPropertyFlags wanted, unwanted;
  };
  // In order of preference. Host-visible device memory is scarce on most GPUs, so buffers avoid it.
  const Wish wishes[3][3] = {
      {{local, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT}, {local, 0}, {0, 0}},
      {{visible, local}, {visible, 0}, {visible, 0}},
      {{visible | cached, local}, {visible | cached, 0}, {visible, 0}},
  };
  for (const Wish& wish : wishes[int(use)]) {
    if (auto type = find_type(memory, allowed, wish.wanted, wish.unwanted)) return *type;
  }
  throw Error(ErrorCode::unsupported, "the Vulkan device has no host-visible memory");
}

}  // namespace

std::string allocating(const Device& device, uint64_t bytes) {
  return "allocating " + core::gibibytes(bytes) + " (" + std::to_string(bytes) + " bytes) on " + device.info().name +
         ", which has " + core::gibibytes(device.info().limits.memory_bytes) + " in all,";
}

DriverAllocator::DriverAllocator(const InstanceFunctions& vk, VkPhysicalDevice device) {
  vk.vkGetPhysicalDeviceMemoryProperties(device, &properties_);
}

Allocation DriverAllocator::allocate(const Device& device, uint64_t bytes, MemoryUse use,
                                     const AllocationChain& chain) {
  const DeviceFunctions& vk = device.vk();
  const std::string what = chain.imported ? "importing memory into " + device.info().name : allocating(device, bytes);
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, chain.buffer};
  info.size = bytes;
  info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  if (use == MemoryUse::device) {
    info.usage = device_buffer_usage;
  }
  Allocation allocation;
  allocation.bytes = bytes;
  check(vk.vkCreateBuffer(device.handle(), &info, device.allocator(), &allocation.buffer), what);
  try {
    VkMemoryRequirements needs{};
    vk.vkGetBufferMemoryRequirements(device.handle(), allocation.buffer, &needs);
    if (chain.imported && chain.imported_bytes < needs.size) {
      throw Error(ErrorCode::invalid_argument, "the imported memory has " + std::to_string(chain.imported_bytes) +
                                                   " bytes, and " + device.info().name + " needs " +
                                                   std::to_string(needs.size) +
                                                   " for a buffer of that size; give the size of the whole memory");
    }
    VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, chain.memory};
    flags.flags = use == MemoryUse::device ? VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT : 0;
    VkMemoryAllocateInfo memory{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags};
    allocation.memory_bytes = memory.allocationSize = chain.imported ? chain.imported_bytes : needs.size;
    memory.memoryTypeIndex = choose_type(properties_, needs.memoryTypeBits, use);
    check(vk.vkAllocateMemory(device.handle(), &memory, device.allocator(), &allocation.memory), what);
    if (chain.imported) chain.imported->release();
    const std::string name = use == MemoryUse::device ? "weft: buffer" : "weft: staging";
    device.debug().name(VK_OBJECT_TYPE_BUFFER, allocation.buffer, name);
    device.debug().name(VK_OBJECT_TYPE_DEVICE_MEMORY, allocation.memory, name);
    check(vk.vkBindBufferMemory(device.handle(), allocation.buffer, allocation.memory, 0), what);
    if (use == MemoryUse::device) {
      allocation.address = device.address_of(allocation.buffer);
    } else {
      void* mapped = nullptr;
      check(vk.vkMapMemory(device.handle(), allocation.memory, 0, VK_WHOLE_SIZE, 0, &mapped), "mapping staging memory");
      allocation.mapped = static_cast<std::byte*>(mapped);
    }
  } catch (...) {
    release(device, allocation);
    throw;
  }
  return allocation;
}

void DriverAllocator::release(const Device& device, const Allocation& allocation) {
  device.vk().vkDestroyBuffer(device.handle(), allocation.buffer, device.allocator());
  device.vk().vkFreeMemory(device.handle(), allocation.memory, device.allocator());
}

}  // namespace weft::vulkan
