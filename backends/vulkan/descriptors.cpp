#include "backends/vulkan/descriptors.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "backends/vulkan/errors.h"

namespace weft::vulkan {

bool DescriptorArena::Bound::operator==(const Bound& other) const {
  const auto numbers = [](const Bound& b) { return std::tie(b.set, b.binding, b.element, b.offset, b.bytes); };
  return numbers(*this) == numbers(other) && !buffer.owner_before(other.buffer) && !other.buffer.owner_before(buffer);
}

DescriptorArena::~DescriptorArena() {
  for (VkDescriptorPool pool : pools_) {
    device_.vk().vkDestroyDescriptorPool(device_.handle(), pool, device_.allocator());
  }
}

void DescriptorArena::reset() {
  for (auto entry = sets_.begin(); entry != sets_.end();) {
    for (Sets& sets : entry->second) sets.used = false;
    if (!entry->first.expired()) {
      ++entry;
      continue;
    }
    for (const Sets& sets : entry->second) {
      device_.vk().vkFreeDescriptorSets(device_.handle(), sets.pool, uint32_t(sets.sets.size()), sets.sets.data());
    }
    entry = sets_.erase(entry);
  }
}

void DescriptorArena::add_pool(uint32_t descriptors, uint32_t sets) {
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, descriptors},
                                        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, descriptors}};
  VkDescriptorPoolCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  info.flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT;
  info.maxSets = sets;
  info.poolSizeCount = 2;
  info.pPoolSizes = sizes;
  pools_.reserve(pools_.size() + 1);
  VkDescriptorPool pool = VK_NULL_HANDLE;
  check(device_.vk().vkCreateDescriptorPool(device_.handle(), &info, device_.allocator(), &pool),
        "creating a descriptor pool");
  device_.debug().name(VK_OBJECT_TYPE_DESCRIPTOR_POOL, pool, "weft: bindings");
  pools_.push_back(pool);
}

DescriptorArena::Sets DescriptorArena::allocate(const Kernel& kernel) {
  const std::vector<VkDescriptorSetLayout>& layouts = kernel.pipeline().sets;
  uint32_t descriptors = 0;
  for (const Reflection::Binding& b : kernel.reflection().bindings) descriptors += b.count;
  Sets result;
  result.sets.resize(layouts.size());
  const auto allocate_from = [&](VkDescriptorPool pool) {
    result.pool = pool;
    VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    info.descriptorPool = pool;
    info.descriptorSetCount = uint32_t(layouts.size());
    info.pSetLayouts = layouts.data();
    return device_.vk().vkAllocateDescriptorSets(device_.handle(), &info, result.sets.data());
  };
  const std::string what = "allocating descriptor sets for kernel '" + kernel.name() + "'";
  // The last pool has most room.
  for (auto pool = pools_.rbegin(); pool != pools_.rend(); ++pool) {
    const VkResult answer = allocate_from(*pool);
    if (answer == VK_SUCCESS) return result;
    if (answer != VK_ERROR_OUT_OF_POOL_MEMORY && answer != VK_ERROR_FRAGMENTED_POOL) check(answer, what);
  }
  add_pool(std::max(descriptors, descriptors_per_pool), std::max(uint32_t(layouts.size()), sets_per_pool));
  check(allocate_from(pools_.back()), what);
  return result;
}

DescriptorArena::Sets& DescriptorArena::take(const Kernel& kernel, const std::vector<Bound>& wanted) {
  std::vector<Sets>& of_kernel = sets_[kernel.life()];
  Sets* free = nullptr;
  for (Sets& sets : of_kernel) {
    if (sets.used) continue;
    free = &sets;
    if (sets.bound == wanted) break;
  }
  if (!free) {
    free = &of_kernel.emplace_back(allocate(kernel));
    for (const VkDescriptorSet set : free->sets) {
      device_.debug().name(VK_OBJECT_TYPE_DESCRIPTOR_SET, set, "weft: " + kernel.name());
    }
  }
  free->used = true;
  return *free;
}

const std::vector<VkDescriptorSet>& DescriptorArena::write(const Kernel& kernel, std::span<const Region> bindings) {
  std::vector<Bound> wanted;
  std::vector<VkDescriptorBufferInfo> buffers;
  std::vector<VkWriteDescriptorSet> writes;
  auto next = bindings.begin();
  for (const Reflection::Binding& binding : kernel.reflection().bindings) {
    for (uint32_t element = 0; element < binding.count; ++element) {
      const Region& region = *next++;
      if (!region.buffer) continue;
      const BufferSlice slice = slice_of(region, "A binding");
      buffers.push_back({slice.buffer, slice.offset, region.bytes});
      wanted.push_back({binding.set, binding.binding, element, slice.offset, region.bytes,
                        static_cast<const Buffer*>(region.buffer)->weak_from_this()});
      VkWriteDescriptorSet& write = writes.emplace_back();
      write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
      write.dstBinding = binding.binding;
      write.dstArrayElement = element;
      write.descriptorCount = 1;
      write.descriptorType = descriptor_type(binding.kind);
    }
  }
  Sets& taken = take(kernel, wanted);
  if (taken.bound == wanted) return taken.sets;
  taken.bound.clear();  // Set after the update, which may throw.
  for (size_t i = 0; i < writes.size(); ++i) {
    writes[i].dstSet = taken.sets[wanted[i].set];
    writes[i].pBufferInfo = &buffers[i];
  }
  device_.vk().vkUpdateDescriptorSets(device_.handle(), uint32_t(writes.size()), writes.data(), 0, nullptr);
  taken.bound = std::move(wanted);
  return taken.sets;
}

}  // namespace weft::vulkan
