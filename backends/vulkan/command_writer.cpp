#include "backends/vulkan/command_writer.h"

#include <algorithm>
#include <utility>

#include "backends/vulkan/buffer.h"

namespace weft::vulkan {

void CommandWriter::begin(VkCommandBuffer commands, DescriptorArena& descriptors) {
  commands_ = commands;
  descriptors_ = &descriptors;
  bound_ = VK_NULL_HANDLE;
  unordered_.fill(kernels | transfers);
}

void CommandWriter::barrier(uint32_t writers, uint32_t readers) {
  struct Accesses {
    VkPipelineStageFlags2 stage;
    VkAccessFlags2 reads, writes;
  };
  static constexpr Accesses accesses[kinds] = {
      {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_READ_BIT,
       VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT},
      {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_UNIFORM_READ_BIT, 0},
      {VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, 0},
      {VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_READ_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT},
  };
  VkMemoryBarrier2 memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  for (size_t kind = 0; kind < kinds; ++kind) {
    if (writers >> kind & 1) {
      memory.srcStageMask |= accesses[kind].stage;
      memory.srcAccessMask |= accesses[kind].writes;
    }
    if (readers >> kind & 1) {
      memory.dstStageMask |= accesses[kind].stage;
      memory.dstAccessMask |= accesses[kind].reads | accesses[kind].writes;
    }
  }
  VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  dependency.memoryBarrierCount = 1;
  dependency.pMemoryBarriers = &memory;
  device_.vk().vkCmdPipelineBarrier2(commands_, &dependency);
}

void CommandWriter::order(uint32_t readers) {
  uint32_t writers = 0;
  for (size_t kind = 0; kind < kinds; ++kind) {
    if (readers >> kind & 1) writers |= std::exchange(unordered_[kind], 0u);
  }
  if (writers) barrier(writers, readers);
}

void CommandWriter::wrote(Kind kind) {
  if (independent_) {
    scope_ |= kind;
  } else {
    for (uint32_t& writers : unordered_) writers |= kind;
  }
}

void CommandWriter::begin_independent() { independent_ = true; }

void CommandWriter::end_independent() {
  independent_ = false;
  for (uint32_t& writers : unordered_) writers |= scope_;
  scope_ = 0;
}

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

void CommandWriter::begin_dispatch(const Kernel& kernel, const Arguments& arguments, uint32_t readers) {
  order(readers | (kernel.reads_uniforms() ? uniforms : 0u));
  wrote(kernels);
  bind(kernel, arguments);
}

void CommandWriter::dispatch(const Kernel& kernel, Groups groups, const Arguments& arguments) {
  begin_dispatch(kernel, arguments, kernels);
  device_.vk().vkCmdDispatch(commands_, groups.x, groups.y, groups.z);
}

void CommandWriter::dispatch_indirect(const Kernel& kernel, const Region& groups, const Arguments& arguments) {
  begin_dispatch(kernel, arguments, kernels | indirect);
  device_.vk().vkCmdDispatchIndirect(commands_, handle_of(groups), groups.offset);
}

void CommandWriter::copy(VkBuffer source, uint64_t source_offset, VkBuffer destination, uint64_t destination_offset,
                         uint64_t bytes) {
  order(transfers);
  wrote(transfers);
  const VkBufferCopy range{source_offset, destination_offset, bytes};
  device_.vk().vkCmdCopyBuffer(commands_, source, destination, 1, &range);
}

void CommandWriter::fill(const Region& region, uint32_t word) {
  if (!fill_) fill_ = device_.fill_kernel();
  for (uint64_t done = 0; done < region.bytes; done += FillKernel::max_bytes) {
    const Region part = region.part(done, std::min(FillKernel::max_bytes, region.bytes - done));
    const FillKernel::Dispatch fill = FillKernel::dispatch(part, word);
    dispatch(*fill_, fill.groups, fill.arguments);
  }
}

void CommandWriter::timestamp(TimestampSlot slot) {
  device_.vk().vkCmdWriteTimestamp2(commands_, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, slot.pool, slot.index);
}

}  // namespace weft::vulkan
