#include <weft/interop/vulkan.h>

#include <weft/weft_vulkan_c.h>

#include "c/src/objects.h"
#include "c/src/options.h"
#include "c/src/regions.h"
#include "c/src/structs.h"

/// An arena, and what is being recorded with it.
struct weft_vulkan_arena {
  struct Open {
    Open(weft::vulkan::RecordingArena& arena, VkCommandBuffer_T* commands, uint64_t frame,
         weft::vulkan::Opening opening)
        : recording(arena.record(commands, frame, opening)) {}

    weft::vulkan::Recording recording;
    weft_recorder recorder{.recorder = &recording};
  };

  static constexpr auto kind = weft::c::Kind::vulkan_arena;
  weft::c::Tag tag{kind};
  weft::vulkan::RecordingArena arena;
  std::optional<Open> open{};
};

namespace weft::c {
namespace {

vulkan::HostBuffer host_buffer_of(const weft_vulkan_buffer& given) {
  return {given.buffer, given.offset, given.bytes, given.address, given.mapped};
}

weft_vulkan_buffer given_buffer(const vulkan::HostBuffer& host) {
  return {host.buffer, host.offset, host.bytes, host.address, host.mapped};
}

vulkan::HostQueue host_queue_of(const weft_vulkan_queue& given) {
  vulkan::HostQueue queue{given.queue, given.family, nullptr, nullptr};
  if (given.lock) queue.lock = [lock = given.lock, user = given.user] { lock(user); };
  if (given.unlock) queue.unlock = [unlock = given.unlock, user = given.user] { unlock(user); };
  return queue;
}

vulkan::HostBufferAllocator allocator_of(const weft_vulkan_device& given) {
  if (!given.allocate && !given.release) return {};
  if (!given.allocate || !given.release) refuse("an allocator needs both functions, 'allocate' and 'release'.");
  return {[allocate = given.allocate, user = given.buffer_user](uint64_t bytes, bool host_visible) {
            weft_vulkan_buffer buffer{};
            if (allocate(user, bytes, host_visible ? 1 : 0, &buffer) != 0) {
              throw Error(ErrorCode::out_of_memory,
                          "The program's allocator has no memory for " + std::to_string(bytes) + " bytes.");
            }
            return host_buffer_of(buffer);
          },
          [release = given.release, user = given.buffer_user](const vulkan::HostBuffer& host) {
            const weft_vulkan_buffer buffer = given_buffer(host);
            release(user, &buffer);
          }};
}

vulkan::HostDevice host_device_of(const weft_vulkan_device& given) {
  vulkan::HostDevice host;
  host.instance = given.instance;
  host.physical_device = given.physical_device;
  host.device = given.device;
  host.get_proc_addr = given.get_proc_addr;
  host.instance_version = given.instance_version;
  host.enabled_features = given.enabled_features;
  const auto* const extensions =
      c::given(given.enabled_extensions, "enabled_extensions", given.enabled_extension_count);
  for (size_t i = 0; i < given.enabled_extension_count; ++i) {
    host.enabled_extensions.emplace_back(c::given(extensions[i], "enabled_extensions"));
  }
  if (given.queue.queue) host.queue = host_queue_of(given.queue);
  host.allocator = given.allocator;
  host.pipeline_cache = given.pipeline_cache;
  host.buffer_allocator = allocator_of(given);
  return host;
}

std::unique_ptr<weft_buffer> wrapped(Buffer<std::byte> buffer) {
  return std::unique_ptr<weft_buffer>(new weft_buffer{.buffer = std::move(buffer)});
}

}  // namespace
}  // namespace weft::c

using namespace weft::c;

weft_result weft_vulkan_enable_features(VkPhysicalDeviceFeatures2* wanted, const VkPhysicalDeviceFeatures2* supported) {
  return guarded(__func__, [&] { weft::vulkan::enable(*given(wanted, "wanted"), *given(supported, "supported")); });
}

weft_result weft_vulkan_check_features(const VkPhysicalDeviceFeatures2* enabled, uint32_t instance_version) {
  return guarded(__func__, [&] {
    std::string list;
    for (const std::string& one : weft::vulkan::missing(*given(enabled, "enabled"), {}, instance_version)) {
      list += (list.empty() ? "" : "; ") + one;
    }
    if (!list.empty()) throw weft::Error(weft::ErrorCode::unsupported, "the device would lack: " + list + ".");
  });
}

weft_result weft_vulkan_wrap_device(const weft_vulkan_device* host, const weft_device_options* options,
                                    weft_device** device) {
  return create(__func__, device, [&] {
    const weft_vulkan_device all = copy_of(given(host, "host"), "host");
    return std::unique_ptr<weft_device>(
        new weft_device{.device = weft::vulkan::wrap_device(host_device_of(all), options_of(options))});
  });
}

weft_result weft_vulkan_prepare(const weft_device* device) {
  return guarded(__func__, [&] { weft::vulkan::prepare(checked(device, "device").device); });
}

weft_result weft_vulkan_get_buffer_usage(uint32_t* usage) {
  return guarded(__func__, [&] { *given(usage, "usage") = weft::vulkan::buffer_usage(); });
}

weft_result weft_vulkan_wrap_buffer(const weft_device* device, const weft_vulkan_buffer* memory, weft_buffer** buffer) {
  return create(__func__, buffer, [&] {
    const weft_vulkan_buffer& all = *given(memory, "memory");
    return wrapped(
        weft::vulkan::wrap_buffer<std::byte>(checked(device, "device").device, host_buffer_of(all), all.bytes));
  });
}

weft_result weft_vulkan_wrap_address(const weft_device* device, uint64_t address, uint64_t bytes,
                                     weft_buffer** buffer) {
  return create(__func__, buffer, [&] {
    return wrapped(weft::vulkan::wrap_address<std::byte>(checked(device, "device").device, address, bytes));
  });
}

weft_result weft_vulkan_get_buffer(weft_region region, weft_vulkan_buffer* memory) {
  return guarded(__func__, [&] {
    *given(memory, "memory") = given_buffer(weft::vulkan::host_buffer(region_of(region, "region")));
  });
}

weft_result weft_vulkan_get_accesses(weft_vulkan_access* first, weft_vulkan_access* last) {
  return guarded(__func__, [&] {
    const weft::vulkan::Access begin = weft::vulkan::first_access(), end = weft::vulkan::last_access();
    given(last, "last");
    *given(first, "first") = {begin.stages, begin.accesses};
    *last = {end.stages, end.accesses};
  });
}

weft_result weft_vulkan_create_arena(const weft_device* device, weft_vulkan_arena** arena) {
  return create(__func__, arena, [&] {
    return std::unique_ptr<weft_vulkan_arena>(
        new weft_vulkan_arena{.arena = weft::vulkan::RecordingArena(checked(device, "device").device)});
  });
}

weft_result weft_vulkan_destroy_arena(weft_vulkan_arena* arena) { return destroy(__func__, arena); }

weft_result weft_vulkan_begin(weft_vulkan_arena* arena, VkCommandBuffer_T* commands, uint64_t frame, int32_t barrier,
                              weft_recorder** recorder) {
  return guarded(__func__, [&] {
    *given(recorder, "recorder") = nullptr;
    weft_vulkan_arena& on = checked(arena, "arena");
    if (on.open) refuse("the arena's last recording is open; weft_vulkan_end() ends it.");
    on.open.emplace(on.arena, commands, frame, barrier ? weft::vulkan::Opening::barrier : weft::vulkan::Opening::none);
    *recorder = &on.open->recorder;
  });
}

weft_result weft_vulkan_end(weft_vulkan_arena* arena) {
  return guarded(__func__, [&] {
    weft_vulkan_arena& on = checked(arena, "arena");
    if (!on.open) refuse("nothing is being recorded; weft_vulkan_begin() starts it.");
    on.open.reset();
  });
}

weft_result weft_vulkan_finish(weft_vulkan_arena* arena, uint64_t frame) {
  return guarded(__func__, [&] { checked(arena, "arena").arena.finished(frame); });
}

weft_result weft_vulkan_wrap_queue(const weft_device* device, const weft_vulkan_queue* queue, weft_stream** stream) {
  return create(__func__, stream, [&] {
    return std::unique_ptr<weft_stream>(new weft_stream{
        .stream = weft::vulkan::wrap_queue(checked(device, "device").device, host_queue_of(*given(queue, "queue")))});
  });
}

weft_result weft_vulkan_wait(weft_stream* stream, VkSemaphore_T* semaphore, uint64_t value) {
  return guarded(__func__, [&] { weft::vulkan::wait(checked(stream, "stream").stream, {semaphore, value}); });
}

weft_result weft_vulkan_signal(weft_stream* stream, VkSemaphore_T* semaphore, uint64_t value) {
  return guarded(__func__, [&] { weft::vulkan::signal(checked(stream, "stream").stream, {semaphore, value}); });
}

weft_result weft_vulkan_get_semaphore(const weft_event* event, VkSemaphore_T** semaphore, uint64_t* value) {
  return guarded(__func__, [&] {
    given(value, "value");
    *given(semaphore, "semaphore") = nullptr;
    const weft::vulkan::SemaphoreValue point = weft::vulkan::semaphore(checked(event, "event").event);
    *semaphore = point.semaphore;
    *value = point.value;
  });
}
