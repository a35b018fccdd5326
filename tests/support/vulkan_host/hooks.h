#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

/// Counts calls in front of the loader's functions. Hosts of the tests give Weft counting_get_proc_addr().
namespace weft::test {

/// The loader's vkGetInstanceProcAddr, which the host calls.
PFN_vkGetInstanceProcAddr loader_get_proc_addr();
/// Returns functions that count their calls.
PFN_vkVoidFunction VKAPI_CALL counting_get_proc_addr(VkInstance instance, const char* name);

std::map<std::string, uint64_t> counted_calls();
std::set<std::string> names_asked_for();

/// Allocation callbacks that count live allocations.
VkAllocationCallbacks counting_callbacks();
int64_t live_callback_allocations();

/// What vkGetPhysicalDeviceQueueFamilyProperties reports for every family from now on: these flags and no timestamps.
/// 0: what the driver reports.
void set_family_flags(VkQueueFlags flags);
/// Weft sees the memory requirements of buffers rounded up to multiples of this from now on; 1: the driver's.
void round_up_buffers(uint64_t multiple);
/// The next `count` calls of this function return `result`, and reach no driver.
void fail_calls(const std::string& name, uint64_t count, VkResult result);
/// Queue families have this many valid bits in their timestamps from now on, and the counter wraps soon after the first
/// timestamp that is read; 0: the driver's.
void set_timestamp_bits(uint32_t bits);
/// Whether submissions, waits and queries of semaphores return VK_ERROR_DEVICE_LOST from now on.
void set_device_lost(bool lost);
/// Whether the calling thread holds the queue's lock, without which a submission is an error.
bool& holds_queue_lock();
uint64_t submissions_without_lock();
/// Number of calls that take allocation callbacks and were given none.
uint64_t calls_without_callbacks();
/// A command that this thread has recorded through the hooks.
struct RecordedCommand {
  enum Kind { dispatch, dispatch_indirect, copy, barrier } kind;
  uint64_t source_stages = 0, source_accesses = 0, destination_stages = 0, destination_accesses = 0;  ///< Of a barrier.
};
/// The commands since it was cleared.
std::vector<RecordedCommand>& recorded_commands();

/// Number of calls of vkCmdBindPipeline and vkCmdPushConstants for anything but compute.
uint64_t disturbances();
/// Whether the hooks count the function of this name.
bool backend_function(const std::string& name);

}  // namespace weft::test
