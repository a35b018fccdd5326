#include <cstring>
#include <span>

#include "backends/host/checker.h"
#include "backends/host/device.h"
#include "tests/support/vulkan_host/traced_state.h"

namespace weft::test {

namespace {

// Memory is a buffer of the host device.

VkResult VKAPI_CALL allocate(VkDevice, const VkMemoryAllocateInfo* info, const VkAllocationCallbacks*,
                             VkDeviceMemory* memory) {
  *memory = reinterpret_cast<VkDeviceMemory>(
      new Buffer<std::byte>(traced_state().device.buffer<std::byte>(info->allocationSize)));
  return VK_SUCCESS;
}

uint64_t address_of(VkDeviceMemory memory) {
  return reinterpret_cast<const Buffer<std::byte>*>(memory)->view().pointer().address;
}

void VKAPI_CALL release(VkDevice, VkDeviceMemory memory, const VkAllocationCallbacks*) {
  delete reinterpret_cast<Buffer<std::byte>*>(memory);
}

VkResult VKAPI_CALL map(VkDevice, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize, VkMemoryMapFlags,
                        void** data) {
  *data = reinterpret_cast<void*>(address_of(memory) + offset);
  return VK_SUCCESS;
}

VkResult VKAPI_CALL bind_memory(VkDevice, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset) {
  const std::lock_guard lock(traced_state().mutex);
  const Region all = reinterpret_cast<const Buffer<std::byte>*>(memory)->view().region();
  traced_state().buffers[buffer] = all.part(offset, all.bytes - offset);
  return VK_SUCCESS;
}

VkDeviceAddress VKAPI_CALL buffer_address(VkDevice, const VkBufferDeviceAddressInfo* info) {
  return traced_region(info->buffer).address();
}

// A pipeline is the host device's kernel of the same SPIR-V.

void VKAPI_CALL properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties2* properties) {
  WEFT_TEST_REAL(vkGetPhysicalDeviceProperties2)(physical, properties);
  for (auto* next = static_cast<VkBaseOutStructure*>(properties->pNext); next; next = next->pNext) {
    if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES) {
      traced_state().subgroup_size = reinterpret_cast<VkPhysicalDeviceSubgroupProperties*>(next)->subgroupSize;
    }
    if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES) {
      traced_state().subgroup_size = reinterpret_cast<VkPhysicalDeviceVulkan11Properties*>(next)->subgroupSize;
    }
  }
}

VkResult VKAPI_CALL create_module(VkDevice, const VkShaderModuleCreateInfo* info, const VkAllocationCallbacks*,
                                  VkShaderModule* module) {
  *module = reinterpret_cast<VkShaderModule>(
      new Spirv{{info->pCode, info->pCode + info->codeSize / sizeof(uint32_t)}, "traced"});
  return VK_SUCCESS;
}

void VKAPI_CALL destroy_module(VkDevice, VkShaderModule module, const VkAllocationCallbacks*) {
  delete reinterpret_cast<Spirv*>(module);
}

VkResult VKAPI_CALL create_pipeline(VkDevice, VkPipelineCache, uint32_t, const VkComputePipelineCreateInfo* info,
                                    const VkAllocationCallbacks*, VkPipeline* pipeline) {
  const VkPipelineShaderStageCreateInfo& stage = info->stage;
  KernelOptions options;
  options.entry = stage.pName;
  options.subgroup_size = traced_state().subgroup_size;
  for (auto* next = static_cast<const VkBaseInStructure*>(stage.pNext); next; next = next->pNext) {
    if (next->sType != VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO) continue;
    options.subgroup_size =
        reinterpret_cast<const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo*>(next)->requiredSubgroupSize;
  }
  const VkSpecializationInfo& constants = *stage.pSpecializationInfo;
  for (uint32_t i = 0; i < constants.mapEntryCount; ++i) {
    const VkSpecializationMapEntry& entry = constants.pMapEntries[i];
    SpecializationValue value{entry.constantID, uint32_t(entry.size), 0};
    std::memcpy(&value.bits, static_cast<const std::byte*>(constants.pData) + entry.offset, entry.size);
    options.specialization.push_back(value);
  }
  const std::lock_guard lock(traced_state().mutex);
  *pipeline = reinterpret_cast<VkPipeline>(
      new Kernel(traced_state().device.kernel(*reinterpret_cast<const Spirv*>(stage.module), options)));
  return VK_SUCCESS;
}

void VKAPI_CALL destroy_pipeline(VkDevice, VkPipeline pipeline, const VkAllocationCallbacks*) {
  delete reinterpret_cast<Kernel*>(pipeline);
}

// Descriptor sets are the driver's. It does not learn of their buffers, which have no memory there.
void VKAPI_CALL update_sets(VkDevice, uint32_t count, const VkWriteDescriptorSet* writes, uint32_t,
                            const VkCopyDescriptorSet*) {
  const std::lock_guard lock(traced_state().mutex);
  for (const VkWriteDescriptorSet& write : std::span(writes, count)) {
    for (uint32_t i = 0; i < write.descriptorCount; ++i) {
      const VkDescriptorBufferInfo& info = write.pBufferInfo[i];
      traced_state().sets[write.dstSet][{write.dstBinding, write.dstArrayElement + i}] =
          traced_region(info.buffer).part(info.offset, info.range);
    }
  }
}

}  // namespace

TracedState::TracedState() {
  auto& host = static_cast<host::Device&>(device.impl());
  host.checked()->on_access = [this](const host::Access& access) {
    const bool uniform = access.binding && uniform_buffers.contains(access.binding->data);
    (uniform ? uniform_trace : trace)
        .add(reinterpret_cast<uintptr_t>(access.address), access.bytes, access.kind & weft_host_read,
             access.kind & weft_host_write);
  };
}

TracedState& traced_state() {
  static TracedState* const instance = new TracedState;
  return *instance;
}

Region traced_region(VkBuffer buffer) {
  const std::lock_guard lock(traced_state().mutex);
  return traced_state().buffers.at(buffer);
}

const TracedHooks& traced_object_hooks() {
  static const TracedHooks hooks{WEFT_TEST_HOOK(vkAllocateMemory, allocate),
                                 WEFT_TEST_HOOK(vkBindBufferMemory, bind_memory),
                                 WEFT_TEST_HOOK(vkCreateComputePipelines, create_pipeline),
                                 WEFT_TEST_HOOK(vkCreateShaderModule, create_module),
                                 WEFT_TEST_HOOK(vkDestroyPipeline, destroy_pipeline),
                                 WEFT_TEST_HOOK(vkDestroyShaderModule, destroy_module),
                                 WEFT_TEST_HOOK(vkFreeMemory, release),
                                 WEFT_TEST_HOOK(vkGetBufferDeviceAddress, buffer_address),
                                 WEFT_TEST_HOOK(vkGetPhysicalDeviceProperties2, properties),
                                 WEFT_TEST_HOOK(vkMapMemory, map),
                                 WEFT_TEST_HOOK(vkUpdateDescriptorSets, update_sets)};
  return hooks;
}

}  // namespace weft::test
