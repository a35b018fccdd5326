#include <algorithm>
#include <vector>

#include <weft/weft_vulkan_c.h>

#include "tests/c/declared.h"
#include "tests/support/vulkan_host/host.h"

using namespace weft;
using namespace weft::test;

/// Weft through C on a Vulkan device of the program's.

namespace {

constexpr uint32_t first = 1, second = 2;  // parameters that may be null

/// The arguments of weft_vulkan_wrap_device().
weft_vulkan_device description_of(const vulkan::HostDevice& host, std::vector<const char*>& extensions) {
  for (const std::string& extension : host.enabled_extensions) extensions.push_back(extension.c_str());
  weft_vulkan_device description{};
  description.size = sizeof(description);
  description.instance = host.instance;
  description.physical_device = host.physical_device;
  description.device = host.device;
  description.get_proc_addr = host.get_proc_addr;
  description.instance_version = host.instance_version;
  description.enabled_features = host.enabled_features;
  description.enabled_extensions = extensions.data();
  description.enabled_extension_count = extensions.size();
  return description;
}

weft_vulkan_buffer c_buffer(const vulkan::HostBuffer& host) {
  return {host.buffer, host.offset, host.bytes, host.address, host.mapped};
}

/// Counts uses of the queue.
struct Locks {
  int locked = 0, unlocked = 0;
  static void lock(void* user) { ++static_cast<Locks*>(user)->locked; }
  static void unlock(void* user) { ++static_cast<Locks*>(user)->unlocked; }
};

/// Gives memory of the host's to Weft.
struct Allocator {
  Host& host;
  std::vector<HostMemoryBlock> blocks{};
  int released = 0;

  static int32_t allocate(void* user, uint64_t bytes, int32_t, weft_vulkan_buffer* buffer) {
    auto& all = *static_cast<Allocator*>(user);
    if (bytes > 1 << 20) return 1;
    all.blocks.push_back(all.host.make_buffer(bytes));
    *buffer = c_buffer(all.blocks.back().all());
    return 0;
  }
  static void release(void* user, const weft_vulkan_buffer*) { ++static_cast<Allocator*>(user)->released; }
};

/// Sorts in a command buffer of the program's. Returns the functions that it called.
std::set<std::string> sort_in_commands() {
  Host host;
  const vulkan::HostDevice description = host.description();
  std::vector<const char*> extensions;
  weft_vulkan_device given = description_of(description, extensions);
  weft_device_list* list = nullptr;
  weft_device *device = nullptr, *other = nullptr;
  weft_buffer *small = nullptr, *keys = nullptr, *by_address = nullptr, *temporary = nullptr;
  REQUIRE_EQ(weft_list_devices(&list), WEFT_OK);
  REQUIRE_EQ(weft_vulkan_wrap_device(&given, nullptr, &other), WEFT_OK);
  REQUIRE_EQ(weft_create_buffer(other, 16, &small), WEFT_OK);
  Calls calls(other, list, small);
  CALL(weft_vulkan_wrap_device, second, &given, nullptr, &device);
  CALL(weft_vulkan_prepare, 0, device);
  CALL(weft_vulkan_check_features, 0, description.enabled_features, description.instance_version);
  VkPhysicalDeviceVulkan12Features wanted_12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceFeatures2 wanted{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &wanted_12, {}};
  CHECK_EQ(weft_vulkan_check_features(&wanted, description.instance_version), WEFT_UNSUPPORTED);
  CHECK(std::string(weft_error_message()).find("bufferDeviceAddress") != std::string::npos);
  CALL(weft_vulkan_enable_features, 0, &wanted, description.enabled_features);
  CHECK(wanted_12.bufferDeviceAddress == VK_TRUE);
  uint32_t usage = 0;
  CALL(weft_vulkan_get_buffer_usage, 0, &usage);
  CHECK_EQ(usage, vulkan::buffer_usage());
  weft_vulkan_access before{}, behind{};
  CALL(weft_vulkan_get_accesses, 0, &before, &behind);
  CHECK_EQ(before.accesses, vulkan::first_access().accesses);
  CHECK_EQ(behind.stages, vulkan::last_access().stages);

  constexpr uint32_t count = 1000;
  const HostMemoryBlock block = host.make_buffer(4 * count);
  std::vector<uint32_t> expected(count);
  for (uint32_t i = 0; i < count; ++i) block.as<uint32_t>()[i] = expected[i] = i * 2654435761u;
  std::ranges::sort(expected);
  const weft_vulkan_buffer memory = c_buffer(block.all());
  weft_vulkan_buffer found{};
  CALL(weft_vulkan_wrap_buffer, 0, device, &memory, &keys);
  CALL(weft_vulkan_wrap_address, 0, device, block.address, 4 * count, &by_address);
  CALL(weft_vulkan_get_buffer, 0, {keys, 8, 16}, &found);
  CHECK(found.buffer == block.buffer);
  CHECK_EQ(found.offset, 8);

  weft_plan* sort = nullptr;
  uint64_t bytes = 0;
  REQUIRE_EQ(weft_create_plan(device, "Sort key=uint max_count=1000", &sort), WEFT_OK);
  REQUIRE_EQ(weft_get_temporary_bytes(sort, &bytes), WEFT_OK);
  REQUIRE_EQ(weft_create_buffer(device, bytes, &temporary), WEFT_OK);
  weft_sort_arguments arguments{};
  arguments.size = sizeof(arguments);
  arguments.keys = arguments.keys_out = {keys, 0, WEFT_REST};
  arguments.count.value = count;
  arguments.temporary = {temporary, 0, WEFT_REST};
  weft_vulkan_arena* arena = nullptr;
  weft_recorder* recorder = nullptr;
  CALL(weft_vulkan_create_arena, 0, device, &arena);
  const VkCommandBuffer commands = host.make_commands();
  host.begin(commands);
  host.barrier_before(commands);
  CALL(weft_vulkan_begin, 0, arena, commands, 1, 1, &recorder);
  weft_recorder* second_one = nullptr;
  CHECK_EQ(weft_vulkan_begin(arena, commands, 1, 1, &second_one), WEFT_INVALID_ARGUMENT);
  const auto calls_of_weft = Host::calls_of([&] {
    const weft_result result = weft_record_sort(recorder, sort, &arguments);
    CHECK_MESSAGE(result == WEFT_OK, std::string(weft_error_message()));
  });
  for (const auto& [name, number] : calls_of_weft) CHECK_MESSAGE(name.starts_with("vkCmd"), name);
  CALL(weft_vulkan_end, 0, arena);
  CHECK_EQ(weft_vulkan_end(arena), WEFT_INVALID_ARGUMENT);
  host.barrier_behind(commands);
  host.end(commands);
  host.run(commands);
  CALL(weft_vulkan_finish, 0, arena, 1);
  CHECK(std::equal(expected.begin(), expected.end(), block.as<uint32_t>()));
  calls.fail_allocations = !host.validates();  // what destroys needs none; the validation layer does
  CALL(weft_vulkan_destroy_arena, first, arena);

  for (weft_buffer* buffer : {keys, by_address, temporary, small}) CALL(weft_destroy_buffer, first, buffer);
  CALL(weft_destroy_plan, first, sort);
  CALL(weft_destroy_device, first, device);
  CHECK_EQ(weft_destroy_device(other), WEFT_OK);
  CHECK_EQ(weft_destroy_device_list(list), WEFT_OK);
  host.destroy(block);
  return calls.functions;
}

/// Uses a queue, a semaphore and an allocator of the program's.
std::set<std::string> use_queue() {
  Host host;
  const vulkan::HostDevice description = host.description();
  std::vector<const char*> extensions;
  weft_vulkan_device given = description_of(description, extensions);
  Locks locks;
  Allocator allocator{host};
  given.allocate = Allocator::allocate;
  weft_device* device = nullptr;
  CHECK_EQ(weft_vulkan_wrap_device(&given, nullptr, &device), WEFT_INVALID_ARGUMENT);
  given.release = Allocator::release;
  given.buffer_user = &allocator;
  REQUIRE_EQ(weft_vulkan_wrap_device(&given, nullptr, &device), WEFT_OK);
  weft_device_list* list = nullptr;
  weft_buffer* buffer = nullptr;
  REQUIRE_EQ(weft_list_devices(&list), WEFT_OK);
  REQUIRE_EQ(weft_create_buffer(device, 64, &buffer), WEFT_OK);
  CHECK_EQ(allocator.blocks.size(), 1);
  weft_buffer* large = nullptr;
  CHECK_EQ(weft_create_buffer(device, 2 << 20, &large), WEFT_OUT_OF_MEMORY);
  Calls calls(device, list, buffer);
  weft_vulkan_queue queue{};
  queue.queue = host.queue;
  queue.family = description.queue ? description.queue->family : 0;
  queue.lock = Locks::lock;
  queue.unlock = Locks::unlock;
  queue.user = &locks;
  weft_stream* stream = nullptr;
  CALL(weft_vulkan_wrap_queue, 0, device, &queue, &stream);
  const VkSemaphore timeline = host.make_timeline();
  CALL(weft_vulkan_signal, 0, stream, timeline, 1);
  CALL(weft_vulkan_wait, 0, stream, timeline, 1);
  weft_recorder* recorder = nullptr;
  REQUIRE_EQ(weft_get_stream_recorder(stream, &recorder), WEFT_OK);
  CHECK_EQ(weft_fill(recorder, {buffer, 0, WEFT_REST}, 7), WEFT_OK);
  weft_event* event = nullptr;
  REQUIRE_EQ(weft_create_event(stream, &event), WEFT_OK);
  VkSemaphore_T* semaphore = nullptr;
  uint64_t value = 0;
  CALL(weft_vulkan_get_semaphore, 0, event, &semaphore, &value);
  CHECK(semaphore != nullptr);
  CHECK_GT(value, 0);
  CHECK_EQ(weft_synchronize(stream, WEFT_DEVICE_TIMEOUT), WEFT_OK);
  CHECK_GT(locks.locked, 0);
  CHECK_EQ(locks.locked, locks.unlocked);
  calls.fail_allocations = !host.validates();
  CHECK_EQ(weft_fill(recorder, {buffer, 0, WEFT_REST}, 8), WEFT_OK);
  CALL(weft_destroy_event, first, event);
  CALL(weft_destroy_stream, first, stream);
  CALL(weft_destroy_buffer, first, buffer);
  CHECK_EQ(weft_destroy_device(device), WEFT_OK);
  CHECK_EQ(weft_destroy_device_list(list), WEFT_OK);
  CHECK_GT(allocator.released, 0);
  for (const HostMemoryBlock& block : allocator.blocks) host.destroy(block);
  return calls.functions;
}

}  // namespace

TEST_CASE("Weft on a Vulkan device of the program's, through C, with right and with wrong arguments") {
  Calls all(nullptr, nullptr, nullptr);
  all.functions.merge(sort_in_commands());
  all.functions.merge(use_queue());
  check_all_called(all, {"weft_vulkan_c.h"});
}
