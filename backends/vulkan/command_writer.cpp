#include "backends/vulkan/command_writer.h"

#include <algorithm>
#include <utility>

#include "backends/vulkan/buffer.h"

namespace weft::vulkan {

void CommandWriter::begin(VkCommandBuffer commands, DescriptorArena& descriptors, bool opening_barrier) {
  commands_ = commands;
  descriptors_ = &descriptors;
  bound_ = VK_NULL_HANDLE;
  unordered_.fill(opening_barrier ? kernels | transfers : 0u);
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
  MemoryBarrier memory;
  for (size_t kind = 0; kind < kinds; ++kind) {
    if (writers >> kind & 1) {
      memory.source_stages |= accesses[kind].stage;
      memory.source_accesses |= accesses[kind].writes;
    }
    if (readers >> kind & 1) {
      memory.destination_stages |= accesses[kind].stage;
      memory.destination_accesses |= accesses[kind].reads | accesses[kind].writes;
    }
  }
  device_.synchronization().barrier(commands_, memory);
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
  const MemoryBarrier memory{VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                             VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT};
  device_.synchronization().barrier(commands_, memory);
}

void CommandWriter::bind(const Pipeline& pipeline, std::span<const std::byte> push_constants) {
  const DeviceFunctions& vk = device_.vk();
  if (bound_ != pipeline.pipeline) {
    vk.vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.pipeline);
    bound_ = pipeline.pipeline;
  }
  // Vulkan takes whole words: after a block that is no multiple of four bytes, up to three of the zeros that follow it.
  if (const uint32_t bytes = pipeline.push_constant_bytes) {
    vk.vkCmdPushConstants(commands_, pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, bytes, push_constants.data());
  }
}

void CommandWriter::begin_dispatch(const Kernel& kernel, const backend::BoundArguments& arguments, uint32_t readers) {
  const Pipeline& pipeline = kernel.pipeline();
  // Before anything is recorded, since it throws for buffers that cannot be bound.
  const std::vector<VkDescriptorSet>* const sets =
      pipeline.sets.empty() ? nullptr : &descriptors_->write(kernel, arguments.bindings);
  device_.debug().label(commands_, kernel.name());
  order(readers | (pipeline.reads_uniforms ? uniforms : 0u));
  wrote(kernels);
  bind(pipeline, arguments.push_constants);
  if (sets) {
    device_.vk().vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout, 0,
                                         uint32_t(sets->size()), sets->data(), 0, nullptr);
  }
}

void CommandWriter::dispatch(const Kernel& kernel, Groups groups, const backend::BoundArguments& arguments) {
  begin_dispatch(kernel, arguments, kernels);
  device_.vk().vkCmdDispatch(commands_, groups.x, groups.y, groups.z);
}

void CommandWriter::dispatch_indirect(const Kernel& kernel, const Region& groups,
                                      const backend::BoundArguments& arguments) {
  const BufferSlice counts = slice_of(groups, "dispatch_indirect()");
  begin_dispatch(kernel, arguments, kernels | indirect);
  device_.vk().vkCmdDispatchIndirect(commands_, counts.buffer, counts.offset);
}

template <typename DispatchOf>
void CommandWriter::dispatch_parts(const Pipeline& pipeline, uint64_t bytes, const DispatchOf& dispatch_of) {
  for (uint64_t done = 0; done < bytes; done += max_dispatch_bytes) {
    const BuiltInDispatch part = dispatch_of(done, std::min(max_dispatch_bytes, bytes - done));
    bind(pipeline, part.arguments.push_constants());
    device_.vk().vkCmdDispatch(commands_, part.groups.x, part.groups.y, part.groups.z);
  }
}

void CommandWriter::copy(const Region& source, const Region& destination) {
  const KernelShare share = kernel_share(source, destination);
  const uint64_t bytes = share.end - share.begin;
  std::array<VkBufferCopy, 2> ends{};
  uint32_t end_count = 0;
  BufferSlice from, to;
  if (share.begin > 0 || share.end < source.bytes) {
    from = slice_of(source, "A copy that does not start and end at words");
    to = slice_of(destination, "A copy that does not start and end at words");
  }
  for (const auto& [begin, end] : {std::pair(uint64_t{0}, share.begin), std::pair(share.end, source.bytes)}) {
    if (begin < end) ends[end_count++] = {from.offset + begin, to.offset + begin, end - begin};
  }
  device_.debug().label(commands_, "copy");
  order((bytes ? kernels : 0u) | (end_count ? transfers : 0u));
  if (bytes) {
    dispatch_parts(device_.built_in().copy(), bytes, [&](uint64_t done, uint64_t size) {
      return copy_dispatch(source.part(share.begin + done, size), destination.part(share.begin + done, size));
    });
    wrote(kernels);
  }
  if (end_count) {
    device_.vk().vkCmdCopyBuffer(commands_, from.buffer, to.buffer, end_count, ends.data());
    wrote(transfers);
  }
}

void CommandWriter::transfer(const BufferSlice& source, const BufferSlice& destination, uint64_t bytes) {
  device_.debug().label(commands_, "transfer");
  order(transfers);
  wrote(transfers);
  const VkBufferCopy range{source.offset, destination.offset, bytes};
  device_.vk().vkCmdCopyBuffer(commands_, source.buffer, destination.buffer, 1, &range);
}

void CommandWriter::fill(const Region& region, uint32_t word) {
  device_.debug().label(commands_, "fill");
  order(kernels);
  wrote(kernels);
  dispatch_parts(device_.built_in().fill(), region.bytes,
                 [&](uint64_t done, uint64_t size) { return fill_dispatch(region.part(done, size), word); });
}

void CommandWriter::timestamp(TimestampSlot slot) {
  device_.synchronization().write_timestamp(commands_, slot.pool, slot.index);
}

}  // namespace weft::vulkan
