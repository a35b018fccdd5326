#include "backends/vulkan/descriptors.h"

#include <algorithm>

#include "backends/vulkan/buffer.h"
#include "backends/vulkan/errors.h"

namespace weft::vulkan {

DescriptorArena::~DescriptorArena() {
  for (VkDescriptorPool pool : pools_) device_.vk().vkDestroyDescriptorPool(device_.handle(), pool, nullptr);
}

void DescriptorArena::reset() {
  for (VkDescriptorPool pool : pools_)
    check(device_.vk().vkResetDescriptorPool(device_.handle(), pool, 0), "resetting a descriptor pool");
  current_ = 0;
}

void DescriptorArena::add_pool(uint32_t descriptors, uint32_t sets) {
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, descriptors},
                                        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, descriptors}};
  VkDescriptorPoolCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  info.maxSets = sets;
  info.poolSizeCount = 2;
  info.pPoolSizes = sizes;
  VkDescriptorPool pool = VK_NULL_HANDLE;
  check(device_.vk().vkCreateDescriptorPool(device_.handle(), &info, nullptr, &pool), "creating a descriptor pool");
  pools_.push_back(pool);
}

std::vector<VkDescriptorSet> DescriptorArena::allocate(const Kernel& kernel) {
  std::vector<VkDescriptorSet> sets(kernel.sets().size());
  uint32_t descriptors = 0;
  for (const Reflection::Binding& b : kernel.reflection().bindings) descriptors += b.count;
  for (;; ++current_) {
    const bool fresh = current_ == pools_.size();
    if (fresh) add_pool(std::max(descriptors, descriptors_per_pool), std::max(uint32_t(sets.size()), sets_per_pool));
    VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    info.descriptorPool = pools_[current_];
    info.descriptorSetCount = uint32_t(sets.size());
    info.pSetLayouts = kernel.sets().data();
    const VkResult result = device_.vk().vkAllocateDescriptorSets(device_.handle(), &info, sets.data());
    if (result == VK_SUCCESS) return sets;
    const bool full = result == VK_ERROR_OUT_OF_POOL_MEMORY || result == VK_ERROR_FRAGMENTED_POOL;
    if (fresh || !full) check(result, "allocating descriptor sets for kernel '" + kernel.name() + "'");
  }
}

std::vector<VkDescriptorSet> DescriptorArena::write(const Kernel& kernel, const Arguments& arguments) {
  const std::vector<VkDescriptorSet> sets = allocate(kernel);
  const auto bindings = arguments.bindings();
  std::vector<VkDescriptorBufferInfo> buffers(bindings.size());
  std::vector<VkWriteDescriptorSet> writes(bindings.size());
  for (size_t i = 0; i < bindings.size(); ++i) {
    const Arguments::Binding& given = bindings[i];
    const auto& declared = *std::ranges::find_if(kernel.reflection().bindings, [&](const Reflection::Binding& b) {
      return b.set == given.set && b.binding == given.binding;
    });
    buffers[i] = {handle_of(given.region), given.region.offset, given.region.bytes};
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[i].dstSet = sets[given.set];
    writes[i].dstBinding = given.binding;
    writes[i].dstArrayElement = given.element;
    writes[i].descriptorCount = 1;
    writes[i].descriptorType = declared.kind == Reflection::BindingKind::uniform_buffer
                                   ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
                                   : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    writes[i].pBufferInfo = &buffers[i];
  }
  device_.vk().vkUpdateDescriptorSets(device_.handle(), uint32_t(writes.size()), writes.data(), 0, nullptr);
  return sets;
}

}  // namespace weft::vulkan
