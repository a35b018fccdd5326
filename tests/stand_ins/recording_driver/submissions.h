#pragma once

#include <vulkan/vulkan.h>

#include <vector>

/// The work recorded by the recording driver, and the function of its library that returns it.
namespace weft::test {

/// A timeline semaphore's value, and the stages that wait for it or precede its signal.
struct TimelinePoint {
  VkSemaphore semaphore = VK_NULL_HANDLE;
  uint64_t value = 0;
  VkPipelineStageFlags2 stages = 0;
};

/// One VkSubmitInfo2.
struct Submission {
  VkQueue queue = VK_NULL_HANDLE;
  std::vector<TimelinePoint> waits, signals;
  uint32_t commands = 0;  ///< Number of dispatches and copies in its command buffers.
};

constexpr const char* submissions_function = "weft_test_submissions";
/// All submissions of the process, in order.
using SubmissionsFunction = const std::vector<Submission>& (*)();

}  // namespace weft::test
