#pragma once

#include <array>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <weft/weft.h>

#include "tests/support/vulkan_host/hazards.h"
#include "tests/support/vulkan_host/hooks.h"

/// What the parts of traced.h share.
namespace weft::test {

/// A command buffer: what has been recorded, and the state of the next dispatch.
struct TracedCommands {
  std::string label;  ///< The last one.
  const Kernel* kernel = nullptr;
  std::array<std::byte, Arguments::max_push_constant_bytes> push_constants{};
  std::map<uint32_t, VkDescriptorSet> sets;  ///< By number.
  std::vector<std::function<void()>> run;
};

struct TracedState {
  TracedState();

  /// A semaphore or fence has `value` after the command with this number.
  struct Signal {
    uint64_t object, value, number;
  };

  std::recursive_mutex mutex;
  VkInstance instance = VK_NULL_HANDLE;
  uint32_t subgroup_size = 0;  ///< Of the driver.
  Device device = open_device("host:check=on");
  Stream stream = device.stream();
  AccessTrace trace, uniform_trace;       ///< Of the dispatch that runs; the second of uniform buffers.
  std::set<const void*> uniform_buffers;  ///< Their host addresses.
  std::map<VkBuffer, Region> buffers;     ///< In memory of the host device.
  std::map<VkDescriptorSet, std::map<std::pair<uint32_t, uint32_t>, Region>> sets;  ///< By binding and element.
  std::map<VkCommandBuffer, TracedCommands> recorded;
  std::map<VkQueue, VkDevice> devices;
  std::vector<Signal> signals;
  uint64_t number = 0;  ///< Of the last command.
};

/// Lives until the process ends, as the devices of the tests do.
TracedState& traced_state();
Region traced_region(VkBuffer buffer);

/// The driver's function.
template <typename Function>
Function driver_function(const char* name) {
  return reinterpret_cast<Function>(loader_get_proc_addr()(traced_state().instance, name));
}
#define WEFT_TEST_REAL(name) driver_function<PFN_##name>(#name)

using TracedHooks = std::map<std::string_view, PFN_vkVoidFunction>;
template <typename Function>
PFN_vkVoidFunction traced_hook(Function function) {
  return reinterpret_cast<PFN_vkVoidFunction>(function);
}
/// An entry of a table of hooks. The function must have the type of the one that it replaces.
#define WEFT_TEST_HOOK(name, function) TracedHooks::value_type(#name, traced_hook<PFN_##name>(function))

/// Functions of memory, shader modules and pipelines.
const TracedHooks& traced_object_hooks();

}  // namespace weft::test
