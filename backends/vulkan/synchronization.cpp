#include "backends/vulkan/synchronization.h"

#include <algorithm>

namespace weft::vulkan {

namespace {

class Synchronization2 final : public Synchronization {
 public:
  explicit Synchronization2(const DeviceFunctions& vk) : vk_(vk) {}

  void barrier(VkCommandBuffer commands, const MemoryBarrier& barrier) const override {
    VkMemoryBarrier2 memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
    memory.srcStageMask = barrier.source_stages;
    memory.srcAccessMask = barrier.source_accesses;
    memory.dstStageMask = barrier.destination_stages;
    memory.dstAccessMask = barrier.destination_accesses;
    VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    dependency.memoryBarrierCount = 1;
    dependency.pMemoryBarriers = &memory;
    vk_.vkCmdPipelineBarrier2(commands, &dependency);
  }

  void write_timestamp(VkCommandBuffer commands, VkQueryPool pool, uint32_t index) const override {
    vk_.vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, index);
  }

  VkResult submit(VkQueue queue, const Submission& submission, VkFence fence) const override {
    const auto waits = infos(submission.waits), signals = infos(submission.signals);
    VkCommandBufferSubmitInfo commands{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
    commands.commandBuffer = submission.commands;
    VkSubmitInfo2 info{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
    info.waitSemaphoreInfoCount = uint32_t(submission.waits.count);
    info.pWaitSemaphoreInfos = waits.data();
    info.commandBufferInfoCount = submission.commands ? 1 : 0;
    info.pCommandBufferInfos = &commands;
    info.signalSemaphoreInfoCount = uint32_t(submission.signals.count);
    info.pSignalSemaphoreInfos = signals.data();
    return vk_.vkQueueSubmit2(queue, 1, &info, fence);
  }

 private:
  static std::array<VkSemaphoreSubmitInfo, SubmissionPoints::most> infos(const SubmissionPoints& points) {
    std::array<VkSemaphoreSubmitInfo, SubmissionPoints::most> infos{};
    std::ranges::transform(points.points, infos.begin(), [](const SemaphoreValue& point) {
      VkSemaphoreSubmitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
      info.semaphore = point.semaphore;
      info.value = point.value;
      info.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
      return info;
    });
    return infos;
  }

  const DeviceFunctions& vk_;
};

class Synchronization1 final : public Synchronization {
 public:
  explicit Synchronization1(const DeviceFunctions& vk) : vk_(vk) {}

  void barrier(VkCommandBuffer commands, const MemoryBarrier& barrier) const override {
    VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    memory.srcAccessMask = accesses(barrier.source_accesses);
    memory.dstAccessMask = accesses(barrier.destination_accesses);
    vk_.vkCmdPipelineBarrier(commands, VkPipelineStageFlags(barrier.source_stages),
                             VkPipelineStageFlags(barrier.destination_stages), 0, 1, &memory, 0, nullptr, 0, nullptr);
  }

  void write_timestamp(VkCommandBuffer commands, VkQueryPool pool, uint32_t index) const override {
    vk_.vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, index);
  }

  VkResult submit(VkQueue queue, const Submission& submission, VkFence fence) const override {
    const Points waits(submission.waits), signals(submission.signals);
    std::array<VkPipelineStageFlags, SubmissionPoints::most> stages;
    stages.fill(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
    values.waitSemaphoreValueCount = uint32_t(submission.waits.count);
    values.pWaitSemaphoreValues = waits.values.data();
    values.signalSemaphoreValueCount = uint32_t(submission.signals.count);
    values.pSignalSemaphoreValues = signals.values.data();
    VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO, &values};
    info.waitSemaphoreCount = uint32_t(submission.waits.count);
    info.pWaitSemaphores = waits.semaphores.data();
    info.pWaitDstStageMask = stages.data();
    info.commandBufferCount = submission.commands ? 1 : 0;
    info.pCommandBuffers = &submission.commands;
    info.signalSemaphoreCount = uint32_t(submission.signals.count);
    info.pSignalSemaphores = signals.semaphores.data();
    return vk_.vkQueueSubmit(queue, 1, &info, fence);
  }

 private:
  struct Points {
    explicit Points(const SubmissionPoints& points) {
      std::ranges::transform(points.points, semaphores.begin(), &SemaphoreValue::semaphore);
      std::ranges::transform(points.points, values.begin(), &SemaphoreValue::value);
    }
    std::array<VkSemaphore, SubmissionPoints::most> semaphores{};
    std::array<uint64_t, SubmissionPoints::most> values{};
  };

  /// The stages that Weft uses have the same bits in both forms; so have the accesses, except these two.
  static VkAccessFlags accesses(VkAccessFlags2 accesses) {
    auto flags = VkAccessFlags(accesses);
    if (accesses & VK_ACCESS_2_SHADER_STORAGE_READ_BIT) flags |= VK_ACCESS_SHADER_READ_BIT;
    if (accesses & VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT) flags |= VK_ACCESS_SHADER_WRITE_BIT;
    return flags;
  }

  const DeviceFunctions& vk_;
};

}  // namespace

std::unique_ptr<const Synchronization> make_synchronization(const DeviceFunctions& vk, bool synchronization2) {
  if (synchronization2) return std::make_unique<Synchronization2>(vk);
  return std::make_unique<Synchronization1>(vk);
}

}  // namespace weft::vulkan
