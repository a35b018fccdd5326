#pragma once

#include <array>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <weft/weft.h>

#include "vulkan_host/hazards.h"
#include "vulkan_host/hooks.h"

/// What the parts of traced.h share.
namespace weft::test {

/// A command buffer: what has been recorded, and the state of the next dispatch.
struct TracedCommands {
  std::string label;  ///< The last one.
  const Kernel* kernel = nullptr;
  std::array<std::byte, Arguments::max_push_constant_bytes> push_constants{};
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
  AccessTrace trace;
  std::map<VkBuffer, uint64_t> addresses;
  std::map<VkCommandBuffer, TracedCommands> recorded;
  std::map<VkQueue, VkDevice> devices;
  std::vector<Signal> signals;
  uint64_t number = 0;  ///< Of the last command.
};

/// Lives until the process ends, as the devices of the tests do.
TracedState& traced_state();
uint64_t traced_address(VkBuffer buffer);

/// The driver's function.
template <typename Function>
Function driver_function(const char* name) {
  return reinterpret_cast<Function>(loader_get_proc_addr()(traced_state().instance, name));
}
#define WEFT_TEST_REAL(name) driver_function<PFN_##name>(#name)

/// An entry of a table of hooks.
#define WEFT_TEST_HOOK(name, function) \
  { #name, reinterpret_cast < PFN_vkVoidFunction>(static_cast <PFN_##name>(function)) }
using TracedHooks = std::map<std::string_view, PFN_vkVoidFunction>;
/// Functions of memory, shader modules and pipelines.
const TracedHooks& traced_object_hooks();

}  // namespace weft::test
