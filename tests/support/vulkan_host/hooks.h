#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

/// Functions that count themselves, in front of the loader's. What a program hands to Weft as vkGetInstanceProcAddr.
namespace weft::test {

/// The loader's own, which the host calls.
PFN_vkGetInstanceProcAddr loader_get_proc_addr();
/// The counting one.
PFN_vkVoidFunction VKAPI_CALL counting_get_proc_addr(VkInstance instance, const char* name);

std::map<std::string, uint64_t> counted_calls();
std::set<std::string> names_asked_for();

/// Allocation callbacks that count what is alive.
VkAllocationCallbacks counting_callbacks();
int64_t live_callback_allocations();

/// What vkGetPhysicalDeviceQueueFamilyProperties says of every family from now on; 0: the truth.
void set_family_flags(VkQueueFlags flags);
/// Whether the calling thread holds the queue's lock, without which a submission is an error.
bool& holds_queue_lock();
uint64_t submissions_without_lock();
/// A command that this thread has recorded through the hooks.
struct RecordedCommand {
  enum Kind { dispatch, dispatch_indirect, copy, barrier } kind;
  uint64_t source_stages = 0, source_accesses = 0, destination_stages = 0, destination_accesses = 0;  ///< Of a barrier.
};
/// Those since it was cleared.
std::vector<RecordedCommand>& recorded_commands();

/// Calls of vkCmdBindPipeline for another bind point than compute, and of vkCmdPushConstants for other stages.
uint64_t disturbances();
/// Whether the hooks count the function of this name.
bool backend_function(const std::string& name);

}  // namespace weft::test
