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
  // The C++ struct may end in padding that the shader's block does not have.
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

template <typename DispatchOf>
void CommandWriter::dispatch_parts(const Kernel& kernel, uint64_t bytes, const DispatchOf& dispatch_of) {
  for (uint64_t done = 0; done < bytes; done += max_dispatch_bytes) {
    const BuiltInDispatch part = dispatch_of(done, std::min(max_dispatch_bytes, bytes - done));
    bind(kernel, part.arguments);
    device_.vk().vkCmdDispatch(commands_, part.groups.x, part.groups.y, part.groups.z);
  }
}

void CommandWriter::copy(const Region& source, const Region& destination) {
  const KernelShare share = kernel_share(source, destination);
  const uint64_t bytes = share.end - share.begin;
  if (bytes && !copy_) copy_ = device_.copy_kernel();
  std::array<VkBufferCopy, 2> ends{};
  uint32_t end_count = 0;
  for (const auto& [begin, end] : {std::pair(uint64_t{0}, share.begin), std::pair(share.end, source.bytes)}) {
    if (begin < end) ends[end_count++] = {source.offset + begin, destination.offset + begin, end - begin};
  }
  order((bytes ? kernels : 0u) | (end_count ? transfers : 0u));
  if (bytes) {
    dispatch_parts(*copy_, bytes, [&](uint64_t done, uint64_t size) {
      return copy_dispatch(source.part(share.begin + done, size), destination.part(share.begin + done, size));
    });
    wrote(kernels);
  }
  if (end_count) {
    device_.vk().vkCmdCopyBuffer(commands_, handle_of(source), handle_of(destination), end_count, ends.data());
    wrote(transfers);
  }
}

void CommandWriter::transfer(VkBuffer source, VkBuffer destination, const VkBufferCopy& range) {
  order(transfers);
  wrote(transfers);
  device_.vk().vkCmdCopyBuffer(commands_, source, destination, 1, &range);
}

void CommandWriter::fill(const Region& region, uint32_t word) {
  if (!fill_) fill_ = device_.fill_kernel();
  order(kernels);
  wrote(kernels);
  dispatch_parts(*fill_, region.bytes,
                 [&](uint64_t done, uint64_t size) { return fill_dispatch(region.part(done, size), word); });
}

void CommandWriter::timestamp(TimestampSlot slot) {
  device_.vk().vkCmdWriteTimestamp2(commands_, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, slot.pool, slot.index);
}

}  // namespace weft::vulkan
