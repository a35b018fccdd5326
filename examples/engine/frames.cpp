#include "frames.h"

Frames::Frames(const Gpu& gpu) : gpu_(gpu) {
  for (Slot& slot : slots_) {
    const VkCommandPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                       .queueFamilyIndex = gpu.family};
    check(vkCreateCommandPool(gpu.device, &pool, nullptr, &slot.pool), "vkCreateCommandPool");
    const VkCommandBufferAllocateInfo commands{
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = slot.pool, .commandBufferCount = 1};
    check(vkAllocateCommandBuffers(gpu.device, &commands, &slot.commands), "vkAllocateCommandBuffers");
    const VkFenceCreateInfo fence{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    check(vkCreateFence(gpu.device, &fence, nullptr, &slot.done), "vkCreateFence");
  }
}

Frames::~Frames() {
  for (const Slot& slot : slots_) {
    vkDestroyFence(gpu_.device, slot.done, nullptr);
    vkDestroyCommandPool(gpu_.device, slot.pool, nullptr);
  }
}

void Frames::wait(uint64_t number) {
  Slot& slot = slots_[this->slot(number)];
  if (number == 0 || slot.submitted != number) return;
  check(vkWaitForFences(gpu_.device, 1, &slot.done, VK_TRUE, UINT64_MAX), "vkWaitForFences");
  check(vkResetFences(gpu_.device, 1, &slot.done), "vkResetFences");
  slot.submitted = 0;
}

Frame Frames::begin(uint64_t number) {
  const Slot& slot = slots_[this->slot(number)];
  check(vkResetCommandPool(gpu_.device, slot.pool, 0), "vkResetCommandPool");
  const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                       .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
  check(vkBeginCommandBuffer(slot.commands, &begin), "vkBeginCommandBuffer");
  return {.number = number, .commands = slot.commands};
}

void Frames::submit(const Frame& frame) {
  Slot& slot = slots_[this->slot(frame.number)];
  check(vkEndCommandBuffer(frame.commands), "vkEndCommandBuffer");
  const VkSemaphoreSubmitInfo acquired{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                       .semaphore = frame.acquired,
                                       .stageMask = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT};
  const VkSemaphoreSubmitInfo drawn{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                    .semaphore = frame.drawn,
                                    .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
  const VkCommandBufferSubmitInfo commands{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                           .commandBuffer = frame.commands};
  const VkSubmitInfo2 submission{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                 .waitSemaphoreInfoCount = frame.acquired ? 1u : 0u,
                                 .pWaitSemaphoreInfos = &acquired,
                                 .commandBufferInfoCount = 1,
                                 .pCommandBufferInfos = &commands,
                                 .signalSemaphoreInfoCount = frame.drawn ? 1u : 0u,
                                 .pSignalSemaphoreInfos = &drawn};
  check(vkQueueSubmit2(gpu_.queue, 1, &submission, slot.done), "vkQueueSubmit2");
  slot.submitted = frame.number;
}
