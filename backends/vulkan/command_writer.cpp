#include "backends/vulkan/command_writer.h"

#include <algorithm>

#include "backends/vulkan/buffer.h"

namespace weft::vulkan {

void CommandWriter::begin(VkCommandBuffer commands, DescriptorArena& descriptors) {
  commands_ = commands;
  descriptors_ = &descriptors;
  bound_ = VK_NULL_HANDLE;
  pending_ = true;
  // A scope that a submission cut in two still starts after everything before it.
  if (independent_) barrier();
}

void CommandWriter::barrier() {
  VkMemoryBarrier2 memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  memory.srcStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
  memory.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
  memory.dstStageMask = memory.srcStageMask | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
  memory.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
  VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  dependency.memoryBarrierCount = 1;
  dependency.pMemoryBarriers = &memory;
  device_.vk().vkCmdPipelineBarrier2(commands_, &dependency);
  pending_ = false;
}

void CommandWriter::order() {
  if (pending_ && !independent_) barrier();
  pending_ = true;
}

void CommandWriter::begin_independent() {
  if (pending_) barrier();
  independent_ = true;
}

void CommandWriter::end_independent() { independent_ = false; }

void CommandWriter::make_visible_to_host() {
  VkMemoryBarrier2 memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  memory.srcStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
  memory.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
  memory.dstStageMask = VK_PIPELINE_STAGE_2_HOST_BIT;
  memory.dstAccessMask = VK_ACCESS_2_HOST_READ_BIT;
  VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  dependency.memoryBarrierCount = 1;
  dependency.pMemoryBarriers = &memory;
  device_.vk().vkCmdPipelineBarrier2(commands_, &dependency);
}

void CommandWriter::bind(const Kernel& kernel, const Arguments& arguments) {
  const DeviceFunctions& vk = device_.vk();
  if (bound_ != kernel.pipeline()) {
    vk.vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.pipeline());
    bound_ = kernel.pipeline();
  }
  const auto push = arguments.push_constants();
  // A C++ block may end in padding that the shader's does not have.
  const uint32_t bytes = std::min(uint32_t(push.size()), (kernel.reflection().push_constant_bytes + 3) & ~3u) & ~3u;
  if (bytes) {
    vk.vkCmdPushConstants(commands_, kernel.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0, bytes, push.data());
  }
  if (!kernel.sets().empty()) {
    const auto sets = descriptors_->write(kernel, arguments);
    vk.vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.layout(), 0, uint32_t(sets.size()),
                               sets.data(), 0, nullptr);
  }
}

void CommandWriter::dispatch(const Kernel& kernel, Groups groups, const Arguments& arguments) {
  order();
  bind(kernel, arguments);
  device_.vk().vkCmdDispatch(commands_, groups.x, groups.y, groups.z);
}

void CommandWriter::dispatch_indirect(const Kernel& kernel, const Region& groups, const Arguments& arguments) {
  order();
  bind(kernel, arguments);
  device_.vk().vkCmdDispatchIndirect(commands_, handle_of(groups), groups.offset);
}

void CommandWriter::copy(VkBuffer source, uint64_t source_offset, VkBuffer destination, uint64_t destination_offset,
                         uint64_t bytes) {
  order();
  const VkBufferCopy range{source_offset, destination_offset, bytes};
  device_.vk().vkCmdCopyBuffer(commands_, source, destination, 1, &range);
}

void CommandWriter::fill(const Region& region, uint32_t word) {
  order();
  device_.vk().vkCmdFillBuffer(commands_, handle_of(region), region.offset, region.bytes, word);
}

void CommandWriter::timestamp(TimestampSlot slot) {
  device_.vk().vkCmdWriteTimestamp2(commands_, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, slot.pool, slot.index);
}

}  // namespace weft::vulkan
