#include "tests/support/vulkan_host/hooks.h"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <mutex>
#include <string_view>
#include <type_traits>

#include "backends/vulkan/functions.h"

namespace weft::test {

namespace {

// Functions that Weft may request from a host's loader. Others are not counted; names_asked_for() has their names.
#define WEFT_TEST_COUNTED(X)                \
  WEFT_VULKAN_INSTANCE_FUNCTIONS(X)         \
  WEFT_VULKAN_DEVICE_FUNCTIONS(X)           \
  WEFT_VULKAN_SYNCHRONIZATION2_FUNCTIONS(X) \
  WEFT_VULKAN_DEBUG_FUNCTIONS(X)            \
  WEFT_VULKAN_EXTERNAL_FUNCTIONS(X) X(vkCmdPipelineBarrier2KHR) X(vkCmdWriteTimestamp2KHR) X(vkQueueSubmit2KHR)

enum Index : size_t {
#define WEFT_TEST_INDEX(name) index_##name,
  WEFT_TEST_COUNTED(WEFT_TEST_INDEX)
#undef WEFT_TEST_INDEX
      index_count
};

constexpr const char* names[] = {
#define WEFT_TEST_NAME(name) #name,
    WEFT_TEST_COUNTED(WEFT_TEST_NAME)
#undef WEFT_TEST_NAME
};

std::atomic<uint64_t> counts[index_count];
std::atomic<VkQueueFlags> family_flags = 0;
std::atomic<bool> device_is_lost = false;
std::atomic<uint64_t> buffer_multiple = 1;
std::atomic<uint64_t> failures[index_count];
std::atomic<VkResult> failure = VK_SUCCESS;
std::atomic<uint32_t> timestamp_bits = 0;
std::atomic<uint64_t> first_timestamp = 0;
std::atomic<uint64_t> unlocked = 0, disturbing = 0, without_callbacks = 0;
std::atomic<int64_t> live = 0;
std::mutex asked_mutex;
std::set<std::string> asked;

template <typename Argument>
bool lacks_callbacks(const Argument& argument) {
  if constexpr (std::is_same_v<Argument, const VkAllocationCallbacks*>) return !argument;
  return false;
}

template <typename... Arguments>
void inspect(size_t index, const Arguments&...) {
  const bool submits =
      index == index_vkQueueSubmit || index == index_vkQueueSubmit2 || index == index_vkQueueSubmit2KHR;
  if (submits && !holds_queue_lock()) ++unlocked;
}
void inspect(size_t index, const VkCommandBuffer&, const VkPipelineBindPoint& point, const VkPipeline&) {
  if (index == index_vkCmdBindPipeline && point != VK_PIPELINE_BIND_POINT_COMPUTE) ++disturbing;
}
void inspect(size_t index, const VkCommandBuffer&, const uint32_t&, const uint32_t&, const uint32_t&) {
  if (index == index_vkCmdDispatch) recorded_commands().push_back({RecordedCommand::dispatch});
}
void inspect(size_t index, const VkCommandBuffer&, const VkBuffer&, const VkDeviceSize&) {
  if (index == index_vkCmdDispatchIndirect) recorded_commands().push_back({RecordedCommand::dispatch_indirect});
}
void inspect(size_t, const VkCommandBuffer&, const VkBuffer&, const VkBuffer&, const uint32_t&,
             const VkBufferCopy* const&) {
  recorded_commands().push_back({RecordedCommand::copy});
}
void inspect(size_t, const VkCommandBuffer&, const VkDependencyInfo* const& info) {
  const VkMemoryBarrier2& memory = info->pMemoryBarriers[0];
  recorded_commands().push_back(
      {RecordedCommand::barrier, memory.srcStageMask, memory.srcAccessMask, memory.dstStageMask, memory.dstAccessMask});
}
void inspect(size_t, const VkCommandBuffer&, const VkPipelineStageFlags& source,
             const VkPipelineStageFlags& destination, const VkDependencyFlags&, const uint32_t&,
             const VkMemoryBarrier* const& memory, const uint32_t&, const VkBufferMemoryBarrier* const&,
             const uint32_t&, const VkImageMemoryBarrier* const&) {
  recorded_commands().push_back(
      {RecordedCommand::barrier, source, memory->srcAccessMask, destination, memory->dstAccessMask});
}
void inspect(size_t, const VkCommandBuffer&, const VkPipelineLayout&, const VkShaderStageFlags& stages, const uint32_t&,
             const uint32_t&, const void* const&) {
  if (stages != VK_SHADER_STAGE_COMPUTE_BIT) ++disturbing;
}
template <typename... Arguments>
void change(const Arguments&...) {}
void change(const VkPhysicalDevice&, uint32_t* const& count, VkQueueFamilyProperties* const& families) {
  if (!families) return;
  for (uint32_t i = 0; i < *count; ++i) {
    if (timestamp_bits) families[i].timestampValidBits = timestamp_bits;
    if (!family_flags) continue;
    families[i].queueFlags = family_flags;
    families[i].timestampValidBits = 0;
  }
}
void change(const VkDevice&, const VkQueryPool&, const uint32_t&, const uint32_t&, const size_t&, void* const& data,
            const VkDeviceSize&, const VkQueryResultFlags&) {
  if (!timestamp_bits) return;
  auto& ticks = *static_cast<uint64_t*>(data);
  uint64_t none = 0;
  first_timestamp.compare_exchange_strong(none, ticks);
  ticks = (ticks - first_timestamp - 2) & ((uint64_t{1} << timestamp_bits) - 1);
}
void change(const VkDevice&, const VkBuffer&, VkMemoryRequirements* const& needs) {
  needs->size = (needs->size + buffer_multiple - 1) / buffer_multiple * buffer_multiple;
}

constexpr bool fails_on_lost_device(size_t index) {
  return index == index_vkQueueSubmit || index == index_vkQueueSubmit2 || index == index_vkQueueSubmit2KHR ||
         index == index_vkWaitForFences || index == index_vkWaitSemaphores || index == index_vkGetSemaphoreCounterValue;
}

template <size_t index, typename Function>
struct Counted;

template <size_t index, typename Result, typename... Arguments>
struct Counted<index, Result(VKAPI_PTR*)(Arguments...)> {
  static inline Result(VKAPI_PTR* real)(Arguments...) = nullptr;
  static Result VKAPI_CALL call(Arguments... arguments) {
    ++counts[index];
    inspect(index, arguments...);
    if ((lacks_callbacks(arguments) || ...)) ++without_callbacks;
    if constexpr (fails_on_lost_device(index)) {
      if (device_is_lost) return VK_ERROR_DEVICE_LOST;
    }
    if constexpr (std::is_same_v<Result, VkResult>) {
      if (failures[index] > 0) return --failures[index], failure.load();
    }
    if constexpr (std::is_void_v<Result>) {
      real(arguments...);
      change(arguments...);
    } else {
      const Result result = real(arguments...);
      change(arguments...);
      return result;
    }
  }
};

struct Allocation {
  void* base;
  size_t size;
};

void* VKAPI_CALL allocate(void*, size_t size, size_t alignment, VkSystemAllocationScope) {
  // Not null if `size` is 0: lavapipe's command buffers treat null as a failure, and then free uninitialized pointers.
  const size_t padding = alignment + sizeof(Allocation);
  auto* const base = static_cast<char*>(std::malloc(size + padding));
  auto address = reinterpret_cast<uintptr_t>(base) + padding;
  address -= address % alignment;
  const Allocation allocation{base, size};
  std::memcpy(reinterpret_cast<void*>(address - sizeof(Allocation)), &allocation, sizeof(Allocation));
  ++live;
  return reinterpret_cast<void*>(address);
}

Allocation allocation_of(void* memory) {
  Allocation allocation{};
  std::memcpy(&allocation, static_cast<char*>(memory) - sizeof(Allocation), sizeof(Allocation));
  return allocation;
}

void VKAPI_CALL release(void*, void* memory) {
  if (!memory) return;
  std::free(allocation_of(memory).base);
  --live;
}

void* VKAPI_CALL reallocate(void* user, void* memory, size_t size, size_t alignment, VkSystemAllocationScope scope) {
  void* const moved = allocate(user, size, alignment, scope);
  if (memory && moved) std::memcpy(moved, memory, std::min(size, allocation_of(memory).size));
  release(user, memory);
  return moved;
}

}  // namespace

PFN_vkGetInstanceProcAddr loader_get_proc_addr() {
  static void* const library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  return library ? reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr")) : nullptr;
}

PFN_vkVoidFunction VKAPI_CALL counting_get_proc_addr(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction function = loader_get_proc_addr()(instance, name);
  {
    const std::lock_guard lock(asked_mutex);
    asked.insert(name);
  }
  if (!function) return nullptr;
#define WEFT_TEST_COUNT(wanted)                               \
  if (std::string_view(name) == #wanted) {                    \
    using Hook = Counted<index_##wanted, PFN_##wanted>;       \
    Hook::real = reinterpret_cast<PFN_##wanted>(function);    \
    return reinterpret_cast<PFN_vkVoidFunction>(&Hook::call); \
  }
  WEFT_TEST_COUNTED(WEFT_TEST_COUNT)
#undef WEFT_TEST_COUNT
  return function;
}

std::map<std::string, uint64_t> counted_calls() {
  std::map<std::string, uint64_t> result;
  for (size_t i = 0; i < index_count; ++i) {
    if (counts[i]) result[names[i]] = counts[i];
  }
  return result;
}

std::set<std::string> names_asked_for() {
  const std::lock_guard lock(asked_mutex);
  return asked;
}

VkAllocationCallbacks counting_callbacks() { return {nullptr, allocate, reallocate, release, nullptr, nullptr}; }
int64_t live_callback_allocations() { return live; }
void set_family_flags(VkQueueFlags flags) { family_flags = flags; }
void fail_calls(const std::string& name, uint64_t count, VkResult result) {
  failure = result;
  failures[std::ranges::find(names, name) - std::begin(names)] = count;
}
void set_timestamp_bits(uint32_t bits) {
  first_timestamp = 0;
  timestamp_bits = bits;
}
void round_up_buffers(uint64_t multiple) { buffer_multiple = multiple; }
void set_device_lost(bool lost) { device_is_lost = lost; }
bool& holds_queue_lock() {
  thread_local bool holds = false;
  return holds;
}
std::vector<RecordedCommand>& recorded_commands() {
  thread_local std::vector<RecordedCommand> commands;
  return commands;
}
uint64_t submissions_without_lock() { return unlocked; }
uint64_t calls_without_callbacks() { return without_callbacks; }
uint64_t disturbances() { return disturbing; }
bool backend_function(const std::string& name) { return std::ranges::find(names, name) != std::end(names); }

}  // namespace weft::test
