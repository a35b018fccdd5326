#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>
#include <thread>

#include <weft/segmented_sort.h>
#include <weft/sort.h>
#include <weft/weft.h>

#include "tests/support/test.h"
#include "tests/support/vulkan_host/hooks.h"
#include "tests/support/vulkan_host/host.h"

using namespace weft;
using namespace weft::test;

/// Memory, queues and semaphores that the host and Weft share.

TEST_CASE("wrapping makes no Vulkan call if the address is known, and refuses what does not fit") {
  Host host;
  const Device device = vulkan::wrap_device(host.description());
  const HostMemoryBlock block = host.make_buffer(4096);
  const auto calls = Host::calls_of([&] {
    for (uint64_t offset = 0; offset < 64; offset += 4) {
      const auto part = vulkan::wrap_buffer<uint32_t>(device, block.part(offset, 400), 100);
      CHECK_EQ(part.pointer().address, block.address + offset);
      const vulkan::HostBuffer back = vulkan::host_buffer(part.part(3, 5).region());
      CHECK_EQ(back.buffer, block.buffer);
      CHECK_EQ(back.offset, offset + 12);
      CHECK_EQ(back.bytes, 20);
      CHECK_EQ(back.address, block.address + offset + 12);
      CHECK_EQ(back.mapped, block.data + offset + 12);
    }
    CHECK_EQ(vulkan::wrap_address<uint32_t>(device, block.address, 3).pointer().address, block.address);
    CHECK(vulkan::wrap_buffer<uint32_t>(device, block.all(), 0).empty());
  });
  CHECK(calls.empty());
  vulkan::HostBuffer unknown = block.part(8, 80);
  unknown.address = 0;
  CHECK_EQ(vulkan::wrap_buffer<uint32_t>(device, unknown, 20).pointer().address, block.address + 8);

  check_error(ErrorCode::invalid_argument, {"null"},
              [&] { vulkan::wrap_buffer<uint32_t>(device, {nullptr, 0, 64, 64}, 1); });
  check_error(ErrorCode::invalid_argument, {"26 elements", "100 bytes"},
              [&] { vulkan::wrap_buffer<uint32_t>(device, block.part(0, 100), 26); });
  check_error(ErrorCode::invalid_argument, {"multiple"},
              [&] { vulkan::wrap_buffer<uint32_t>(device, block.part(2, 100), 4); });
  check_error(ErrorCode::invalid_argument, {"null"}, [&] { vulkan::wrap_address<uint32_t>(device, 0, 1); });
  check_error(ErrorCode::invalid_argument, {"multiple"},
              [&] { vulkan::wrap_address<uint32_t>(device, block.address + 1, 1); });
  check_error(ErrorCode::invalid_argument, {"address"}, [&] { vulkan::wrap_address<uint32_t>(device, ~7ull, 4); });
  check_error(ErrorCode::invalid_argument, {"offset"},
              [&] { vulkan::wrap_buffer<uint32_t>(device, {block.buffer, ~7ull, 64, block.address}, 4); });
  check_error(ErrorCode::invalid_argument, {"empty"}, [] { vulkan::host_buffer({}); });
  const auto by_address = vulkan::wrap_address<uint32_t>(device, block.address, 8);
  check_error(ErrorCode::invalid_argument, {"host_buffer", "VkBuffer"}, [&] { vulkan::host_buffer(by_address); });
  Stream stream = device.stream();
  check_error(ErrorCode::invalid_argument, {"download", "VkBuffer"}, [&] { stream.download(by_address); });
  const Kernel kernel = device.kernel_from_glsl(R"(#version 460
    layout(local_size_x = 1) in;
    layout(binding = 0, std430) buffer Data { uint v[]; };
    void main() { v[0] = 1; })");
  check_error(ErrorCode::invalid_argument, {"binding", "VkBuffer"},
              [&] { stream.dispatch(kernel, {1, 1, 1}, Arguments().bind(0, 0, by_address)); });
  const auto odd = vulkan::wrap_buffer<uint32_t>(device, block.part(4, 64), 16);
  if (device.info().limits.storage_binding_alignment > 4) {
    check_error(ErrorCode::invalid_argument, {"byte 4", "multiple"},
                [&] { stream.dispatch(kernel, {1, 1, 1}, Arguments().bind(0, 0, odd)); });
  }
}

TEST_CASE("devices that wrap one VkDevice use each other's buffers, and no other device's") {
  Host host, stranger;
  const Device one = vulkan::wrap_device(host.description()), two = vulkan::wrap_device(host.description());
  const Device other = vulkan::wrap_device(stranger.description());
  Stream stream = one.stream();
  const Buffer<uint32_t> from = two.buffer<uint32_t>(100), to = one.buffer<uint32_t>(100);
  stream.fill(from, 5u);
  stream.copy(from, to);
  CHECK_EQ(stream.download(to)[99], 5);
  const Buffer<uint32_t> foreign = other.buffer<uint32_t>(100);
  check_error(ErrorCode::invalid_argument, {"another device"}, [&] { stream.copy(foreign, to); });
}

TEST_CASE("a copy between buffers that wrap the same memory is refused if it overlaps") {
  Host host;
  const Device device = vulkan::wrap_device(host.description());
  vulkan::prepare(device);
  const HostMemoryBlock block = host.make_buffer(4096);
  const auto low = vulkan::wrap_buffer<uint32_t>(device, block.part(0, 400), 100);
  const auto high = vulkan::wrap_buffer<uint32_t>(device, block.part(396, 400), 100);
  const auto by_address = vulkan::wrap_address<uint32_t>(device, block.address + 4, 100);
  vulkan::RecordingArena arena(device);
  block.as<uint32_t>()[98] = 5;
  host.run([&](VkCommandBuffer commands) {
    vulkan::Recording recording = arena.record(commands, 1);
    for (const auto* const other : {&high, &by_address}) {
      check_error(ErrorCode::invalid_argument, {"overlap"}, [&] { recording.copy<uint32_t>(low, *other); });
      check_error(ErrorCode::invalid_argument, {"overlap"}, [&] { recording.copy<uint32_t>(*other, low); });
    }
    recording.copy<uint32_t>(low.part(0, 99), high.part(0, 99));
  });
  CHECK_EQ(block.as<uint32_t>(396)[98], 5);
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("temporary storage of a segmented sort needs a VkBuffer, which other plans do not") {
  Host host;
  const Device device = vulkan::wrap_device(host.description());
  constexpr uint64_t count = 10'000;
  const SegmentedSort segments(device, Element::of<uint32_t>(), Comparison::ascending(), count, 1);
  const Sort sort(device, Element::of<uint32_t>(), count);
  const uint64_t bytes = std::max(segments.temporary_bytes(), sort.temporary_bytes());
  const HostMemoryBlock block = host.make_buffer(4 * count + 256), memory = host.make_buffer(bytes);
  const auto words = vulkan::wrap_buffer<uint32_t>(device, block.all(), count);
  const auto offsets = vulkan::wrap_buffer<uint32_t>(device, block.part(4 * count, 8), 2);
  const auto temporary = vulkan::wrap_address<std::byte>(device, memory.address, bytes);
  std::iota(block.as<uint32_t>(), block.as<uint32_t>() + count, 0u);
  std::reverse(block.as<uint32_t>(), block.as<uint32_t>() + count);
  vulkan::RecordingArena arena(device);
  host.run([&](VkCommandBuffer commands) {
    vulkan::Recording recording = arena.record(commands, 1);
    sort.record(recording, {.keys = words, .keys_out = words, .count = count, .temporary = temporary});
  });
  CHECK(std::is_sorted(block.as<uint32_t>(), block.as<uint32_t>() + count));
  const VkCommandBuffer dropped = host.make_commands();
  host.begin(dropped);
  check_error(ErrorCode::invalid_argument, {"dispatch_indirect", "VkBuffer"}, [&] {
    vulkan::Recording recording = arena.record(dropped, 2);
    segments.record(recording, {.input = words,
                                .offsets = offsets,
                                .output = words,
                                .segment_count = uint64_t{1},
                                .count = count,
                                .temporary = temporary});
  });
  host.end(dropped);
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("a queue that is wrapped again and again is remembered once") {
  Host host;
  std::optional<Device> device = vulkan::wrap_device(host.description());
  for (int i = 0; i < 20; ++i) {
    const Buffer<uint32_t> words = device->buffer<uint32_t>(64);
    Stream stream = vulkan::wrap_queue(*device, *host.description().queue);
    stream.fill(words, 1u);
  }
  const uint64_t before = host.locked_submissions();
  device.reset();
  CHECK_EQ(host.locked_submissions(), before + 1);
  CHECK_EQ(Host::live_allocations(), 0);
}

TEST_CASE("memory comes from the host's allocator, and is released when no work uses it") {
  Host host;
  std::map<VkBuffer, HostMemoryBlock> alive;
  std::mutex mutex;
  auto description = host.description();
  description.buffer_allocator.allocate = [&](uint64_t bytes, bool) {
    const HostMemoryBlock block = host.make_buffer(bytes + 512, vulkan::buffer_usage());
    const std::lock_guard lock(mutex);
    alive[block.buffer] = block;
    return block.part(512, bytes);
  };
  description.buffer_allocator.release = [&](const vulkan::HostBuffer& buffer) {
    const std::lock_guard lock(mutex);
    CHECK_EQ(buffer.offset, 512);
    REQUIRE(alive.contains(buffer.buffer));
    host.destroy(alive[buffer.buffer]);
    alive.erase(buffer.buffer);
  };
  const auto calls = Host::calls_of([&] {
    const Device device = vulkan::wrap_device(description);
    vulkan::RecordingArena arena(device, 1000);
    CHECK_EQ(alive.size(), 3);
    std::vector<uint32_t> data(5000);
    std::iota(data.begin(), data.end(), 9u);
    {
      const Buffer<uint32_t> words = device.buffer<uint32_t>(5000), copy = device.buffer<uint32_t>(5000);
      Stream stream = device.stream();
      stream.upload(words, data);
      stream.copy(words, copy);
      check_same(stream.download(copy), data);
      const VkCommandBuffer commands = host.make_commands();
      host.begin(commands);
      arena.record(commands, 1).fill(words, 1u);
      host.end(commands);
    }
    CHECK_GE(alive.size(), 5);  // frame 1 may still use them
    arena.finished(1);
    CHECK_EQ(alive.size(), 3);
  });
  CHECK_FALSE(calls.contains("vkAllocateMemory"));
  CHECK_FALSE(calls.contains("vkCreateBuffer"));
  CHECK(alive.empty());
  description.buffer_allocator.allocate = [](uint64_t, bool) { return vulkan::HostBuffer{}; };
  const Device device = vulkan::wrap_device(description);
  check_error(ErrorCode::out_of_memory, {"HostBufferAllocator::allocate"}, [&] { device.buffer<uint32_t>(100); });
  description.buffer_allocator.allocate = [&](uint64_t bytes, bool) {
    const HostMemoryBlock block = host.make_buffer(bytes + 512, vulkan::buffer_usage());
    alive[block.buffer] = block;
    vulkan::HostBuffer part = block.part(512, bytes);
    part.address += 4;
    return part;
  };
  check_error(ErrorCode::invalid_argument, {"address", "256"},
              [&] { vulkan::wrap_device(description).buffer<uint32_t>(100); });
  CHECK(alive.empty());
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("semaphores order the host's work and a stream's, both ways, a wait before its signal included") {
  Host host;
  const HostMemoryBlock block = host.make_buffer(4096);
  {
    const Device device = vulkan::wrap_device(host.description());
    const auto words = vulkan::wrap_buffer<uint32_t>(device, block.all(), 1024);
    Stream stream = vulkan::wrap_queue(device, {host.queue, 0, [&] { host.description().queue->lock(); },
                                                [&] { host.description().queue->unlock(); }});
    const VkSemaphore before = host.make_timeline(), behind = host.make_timeline();
    stream.fill(words, 1u);
    vulkan::wait(stream, {before, 4});
    stream.fill(words, 2u);
    vulkan::signal(stream, {behind, 9});
    const volatile uint32_t& last = block.as<uint32_t>()[1023];
    for (int i = 0; i < 1000 && last != 1; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK_EQ(last, 1);                                           // Earlier work does not wait.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // Time for work that does not wait.
    uint64_t value = 0;
    host.vkGetSemaphoreCounterValue(host.device, behind, &value);
    CHECK_EQ(value, 0);
    CHECK_NE(block.as<uint32_t>()[1023], 2);
    VkSemaphoreSignalInfo signal{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
    signal.semaphore = before;
    signal.value = 4;
    host.vkSignalSemaphore(host.device, &signal);
    VkSemaphoreWaitInfo wait{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    const uint64_t nine = 9;
    wait.semaphoreCount = 1;
    wait.pSemaphores = &behind;
    wait.pValues = &nine;
    CHECK_EQ(host.vkWaitSemaphores(host.device, &wait, 60'000'000'000), VK_SUCCESS);
    CHECK_EQ(block.as<uint32_t>()[1023], 2);

    vulkan::wait(stream, {before, 5});
    stream.fill(words, 3u);
    const Event event = stream.record();
    const vulkan::SemaphoreValue point = vulkan::semaphore(event);
    host.vkGetSemaphoreCounterValue(host.device, point.semaphore, &value);
    CHECK_LT(value, point.value);
    host.submit_timeline(VK_NULL_HANDLE, point.semaphore, point.value, behind, 10);
    signal.value = 5;
    host.vkSignalSemaphore(host.device, &signal);
    const uint64_t ten = 10;
    wait.pValues = &ten;
    CHECK_EQ(host.vkWaitSemaphores(host.device, &wait, 60'000'000'000), VK_SUCCESS);
    CHECK_EQ(block.as<uint32_t>()[0], 3);
    CHECK(event.done());
    check_error(ErrorCode::invalid_argument, {"null"}, [&] { vulkan::wait(stream, {}); });
    check_error(ErrorCode::invalid_argument, {"null"}, [&] { vulkan::signal(stream, {}); });
    check_error(ErrorCode::invalid_argument, {"empty"}, [] { vulkan::semaphore(Event()); });
    check_error(ErrorCode::invalid_argument, {"null"}, [&] { vulkan::wrap_queue(device, {}); });
  }
  CHECK_EQ(Host::live_allocations(), 0);
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("streams come and go without crashing the driver's thread") {
  Host host;
  for (int round = 0; round < 50; ++round) {
    const Device device = vulkan::wrap_device(host.description());
    const Buffer<uint32_t> words = device.buffer<uint32_t>(64);
    Stream one = device.stream(), two = device.stream();
    one.fill(words, 1u);
    two.wait(one.record());
    two.fill(words, 2u);
    two.submit();
  }
  CHECK_EQ(Host::live_allocations(), 0);
  CHECK_EQ(host.messages(), 0);
}
