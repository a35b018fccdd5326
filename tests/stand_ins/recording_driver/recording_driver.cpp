// A Vulkan driver in front of lavapipe. It forwards every call and records submissions. A CPU driver runs submissions
// one after the other, so a wait that is missing, or for the wrong value, would not change any result.
#define VK_NO_PROTOTYPES
#include <dlfcn.h>
#include <vulkan/vk_icd.h>

#include <map>
#include <span>
#include <string_view>

#include "tests/stand_ins/recording_driver/submissions.h"

namespace {

using namespace weft::test;

template <typename Function>
Function in_driver(const char* name) {
  static void* const library = dlopen(WEFT_RECORDED_DRIVER, RTLD_NOW | RTLD_LOCAL);
  return library ? reinterpret_cast<Function>(dlsym(library, name)) : nullptr;
}

// The real driver's functions; it has one kind of device.
PFN_vkGetDeviceProcAddr get_device_function = nullptr;
PFN_vkQueueSubmit2 submit = nullptr;
PFN_vkBeginCommandBuffer begin = nullptr;
PFN_vkCmdDispatch dispatch = nullptr;
PFN_vkCmdCopyBuffer copy_buffer = nullptr;

std::vector<Submission> submissions;
std::map<VkCommandBuffer, uint32_t> commands_in;

std::vector<TimelinePoint> points(const VkSemaphoreSubmitInfo* infos, uint32_t count) {
  std::vector<TimelinePoint> result;
  for (const VkSemaphoreSubmitInfo& info : std::span(infos, count))
    result.push_back({info.semaphore, info.value, info.stageMask});
  return result;
}

VkResult VKAPI_CALL QueueSubmit2(VkQueue queue, uint32_t count, const VkSubmitInfo2* infos, VkFence fence) {
  for (const VkSubmitInfo2& info : std::span(infos, count)) {
    Submission submission{queue, points(info.pWaitSemaphoreInfos, info.waitSemaphoreInfoCount),
                          points(info.pSignalSemaphoreInfos, info.signalSemaphoreInfoCount)};
    for (const VkCommandBufferSubmitInfo& buffer : std::span(info.pCommandBufferInfos, info.commandBufferInfoCount))
      submission.commands += commands_in[buffer.commandBuffer];
    submissions.push_back(std::move(submission));
  }
  return submit(queue, count, infos, fence);
}

VkResult VKAPI_CALL BeginCommandBuffer(VkCommandBuffer buffer, const VkCommandBufferBeginInfo* info) {
  commands_in[buffer] = 0;
  return begin(buffer, info);
}

void VKAPI_CALL CmdDispatch(VkCommandBuffer buffer, uint32_t x, uint32_t y, uint32_t z) {
  ++commands_in[buffer];
  dispatch(buffer, x, y, z);
}

void VKAPI_CALL CmdCopyBuffer(VkCommandBuffer buffer, VkBuffer source, VkBuffer target, uint32_t count,
                              const VkBufferCopy* regions) {
  ++commands_in[buffer];
  copy_buffer(buffer, source, target, count, regions);
}

/// Keeps the driver's function, and returns the recording one instead.
template <typename Function>
PFN_vkVoidFunction recording(Function& kept, PFN_vkVoidFunction function, Function instead) {
  if (!function) return nullptr;
  kept = reinterpret_cast<Function>(function);
  return reinterpret_cast<PFN_vkVoidFunction>(instead);
}

PFN_vkVoidFunction VKAPI_CALL GetDeviceProcAddr(VkDevice device, const char* name) {
  const PFN_vkVoidFunction function = get_device_function(device, name);
  const std::string_view wanted = name;
  if (wanted == "vkQueueSubmit2") return recording(submit, function, QueueSubmit2);
  if (wanted == "vkBeginCommandBuffer") return recording(begin, function, BeginCommandBuffer);
  if (wanted == "vkCmdDispatch") return recording(dispatch, function, CmdDispatch);
  if (wanted == "vkCmdCopyBuffer") return recording(copy_buffer, function, CmdCopyBuffer);
  return function;
}

}  // namespace

#define RECORDING_DRIVER_EXPORT extern "C" __attribute__((visibility("default")))

RECORDING_DRIVER_EXPORT VkResult vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t* version) {
  const auto negotiate =
      in_driver<PFN_vkNegotiateLoaderICDInterfaceVersion>("vk_icdNegotiateLoaderICDInterfaceVersion");
  return negotiate ? negotiate(version) : VK_ERROR_INITIALIZATION_FAILED;
}

RECORDING_DRIVER_EXPORT PFN_vkVoidFunction vk_icdGetInstanceProcAddr(VkInstance instance, const char* name) {
  static const auto get = in_driver<PFN_vkGetInstanceProcAddr>("vk_icdGetInstanceProcAddr");
  const PFN_vkVoidFunction function = get(instance, name);
  return name == std::string_view("vkGetDeviceProcAddr") ? recording(get_device_function, function, GetDeviceProcAddr)
                                                         : function;
}

RECORDING_DRIVER_EXPORT PFN_vkVoidFunction vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char* name) {
  static const auto get = in_driver<PFN_vkGetInstanceProcAddr>("vk_icdGetPhysicalDeviceProcAddr");
  return get(instance, name);
}

RECORDING_DRIVER_EXPORT const std::vector<Submission>& weft_test_submissions() { return submissions; }
