#pragma once

#include <vulkan/vulkan.h>

#include <vector>

/// What the recording driver has seen of a queue's work, and the function of its library that tells it.
namespace weft::test {

/// A timeline semaphore's value, and the stages that wait for it or come before its signal.
struct TimelinePoint {
  VkSemaphore semaphore = VK_NULL_HANDLE;
  uint64_t value = 0;
  VkPipelineStageFlags2 stages = 0;
};

/// One VkSubmitInfo2.
struct Submission {
  VkQueue queue = VK_NULL_HANDLE;
  std::vector<TimelinePoint> waits, signals;
  uint32_t commands = 0;  ///< Dispatches and copies in its command buffers.
};

constexpr const char* submissions_function = "weft_test_submissions";
/// All submissions of the process, in their order.
using SubmissionsFunction = const std::vector<Submission>& (*)();

}  // namespace weft::test
