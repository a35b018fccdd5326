#include "memory.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

Memory::~Memory() {
  for (const Block& block : blocks_) {
    vkDestroyBuffer(gpu_.device, block.buffer, nullptr);
    vkFreeMemory(gpu_.device, block.memory, nullptr);
  }
}

uint32_t Memory::type(const Gpu& gpu, uint32_t allowed, VkMemoryPropertyFlags properties) {
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(gpu.physical, &memory);
  for (uint32_t type = 0; type < memory.memoryTypeCount; ++type) {
    if ((allowed >> type & 1) && (memory.memoryTypes[type].propertyFlags & properties) == properties) return type;
  }
  throw std::runtime_error("the device lacks a type of memory");
}

Memory::Block Memory::make_block(uint64_t bytes, bool host_visible) const {
  Block block;
  block.host_visible = host_visible;
  const VkBufferCreateInfo buffer{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                  .size = bytes,
                                  .usage = weft::vulkan::buffer_usage()};  // which is all that the engine needs too
  check(vkCreateBuffer(gpu_.device, &buffer, nullptr, &block.buffer), "vkCreateBuffer");
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(gpu_.device, block.buffer, &needs);
  const VkMemoryAllocateFlagsInfo flags{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
  const VkMemoryPropertyFlags properties =
      host_visible ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
                   : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  const VkMemoryAllocateInfo memory{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                    .pNext = &flags,
                                    .allocationSize = needs.size,
                                    .memoryTypeIndex = type(gpu_, needs.memoryTypeBits, properties)};
  check(vkAllocateMemory(gpu_.device, &memory, nullptr, &block.memory), "vkAllocateMemory");
  check(vkBindBufferMemory(gpu_.device, block.buffer, block.memory, 0), "vkBindBufferMemory");
  const VkBufferDeviceAddressInfo address{.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                          .buffer = block.buffer};
  block.address = vkGetBufferDeviceAddress(gpu_.device, &address);
  if (host_visible) {
    void* mapped = nullptr;
    check(vkMapMemory(gpu_.device, block.memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
    block.mapped = static_cast<std::byte*>(mapped);
  }
  block.free[0] = bytes;
  return block;
}

Memory::Part Memory::allocate(uint64_t bytes, bool host_visible) {
  const uint64_t rounded = std::max((bytes + granularity - 1) / granularity * granularity, granularity);
  const std::lock_guard lock(mutex_);
  const auto take = [&](Block& block) -> Part {
    const auto range = std::ranges::find_if(block.free, [&](const auto& r) { return r.second >= rounded; });
    if (block.host_visible != host_visible || range == block.free.end()) return {};
    const auto [offset, size] = *range;
    block.free.erase(range);
    if (size > rounded) block.free[offset + rounded] = size - rounded;
    return {block.buffer, offset, rounded, block.address + offset, host_visible ? block.mapped + offset : nullptr};
  };
  for (Block& block : blocks_) {
    if (const Part part = take(block); part.buffer) return part;
  }
  return take(blocks_.emplace_back(make_block(std::max(rounded, block_bytes), host_visible)));
}

void Memory::release(const Part& part) {
  const std::lock_guard lock(mutex_);
  auto& free = std::ranges::find(blocks_, part.buffer, &Block::buffer)->free;
  auto range = free.emplace(part.offset, part.bytes).first;
  const auto joins = [](auto first, auto second) { return first->first + first->second == second->first; };
  if (const auto next = std::next(range); next != free.end() && joins(range, next)) {
    range->second += next->second;
    free.erase(next);
  }
  if (range != free.begin() && joins(std::prev(range), range)) {
    std::prev(range)->second += range->second;
    free.erase(range);
  }
}
