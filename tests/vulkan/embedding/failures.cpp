#include <chrono>
#include <optional>
#include <thread>

#include <weft/weft.h>

#include "tests/support/test.h"
#include "tests/support/vulkan_host/hooks.h"
#include "tests/support/vulkan_host/host.h"

using namespace weft;
using namespace weft::test;

/// Calls that fail, and counters that wrap.

namespace {

uint64_t value_of(const Host& host, VkSemaphore semaphore) {
  uint64_t value = 0;
  host.vkGetSemaphoreCounterValue(host.device, semaphore, &value);
  return value;
}

}  // namespace

TEST_CASE("work whose submission fails stays recorded, and the next submission tries again") {
  for (const bool minimum : {false, true}) {
    Host host({.minimum = minimum});
    const char* const submission = minimum ? "vkQueueSubmit" : "vkQueueSubmit2";
    {
      const Device device = vulkan::wrap_device(host.description());
      const Buffer<uint32_t> words = device.buffer<uint32_t>(1000), copy = device.buffer<uint32_t>(1000);
      const VkSemaphore semaphore = host.make_timeline();
      Stream stream = device.stream();
      auto calls = Host::calls_of([&] {
        stream.fill(words, 7u);
        fail_calls(submission, 3, VK_ERROR_OUT_OF_DEVICE_MEMORY);
        check_error(ErrorCode::out_of_memory, {"submitting work", "VK_ERROR_OUT_OF_DEVICE_MEMORY"},
                    [&] { stream.submit(); });
        check_error(ErrorCode::out_of_memory, {}, [&] { stream.record(); });
        check_error(ErrorCode::out_of_memory, {}, [&] { vulkan::signal(stream, {semaphore, 3}); });
        stream.copy<uint32_t>(words, copy);  // submits the fill first
        stream.synchronize();
      });
      CHECK_EQ(calls["vkBeginCommandBuffer"], 2);
      CHECK_EQ(calls["vkEndCommandBuffer"], 2);
      CHECK_EQ(calls[submission], 5);
      CHECK_EQ(value_of(host, semaphore), 0);
      check_same(stream.download(copy), std::vector<uint32_t>(1000, 7));
      vulkan::signal(stream, {semaphore, 3});
      stream.synchronize();
      CHECK_EQ(value_of(host, semaphore), 3);
      vulkan::wait(stream, {semaphore, 4});
      stream.fill(words, 8u);
      fail_calls(submission, 1, VK_ERROR_OUT_OF_DEVICE_MEMORY);
      check_error(ErrorCode::out_of_memory, {}, [&] { stream.submit(); });
      const Event event = stream.record();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));  // Time for work that does not wait.
      CHECK_FALSE(event.done());
      VkSemaphoreSignalInfo signal{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
      signal.semaphore = semaphore;
      signal.value = 4;
      host.vkSignalSemaphore(host.device, &signal);
      event.wait();
      stream.fill(words, 8u);
      fail_calls(submission, 1, VK_ERROR_OUT_OF_HOST_MEMORY);  // while the stream closes
    }
    CHECK_EQ(Host::live_allocations(), 0);
    CHECK_EQ(host.messages(), 0);
  }
}

TEST_CASE("a command buffer that cannot be ended loses its commands alone") {
  Host host;
  {
    DeviceOptions options = DeviceOptions::from_environment();
    options.timeout = std::chrono::seconds(5);
    const Device device = vulkan::wrap_device(host.description(), options);
    Stream stream = device.stream();
    const std::vector<uint32_t> slot(size_t(8) << 18, 1);  // fills one of four staging slots
    std::optional<Buffer<uint32_t>> kept = device.buffer<uint32_t>(slot.size());
    for (int i = 0; i < 4; ++i) stream.upload(*kept, slot);
    const Timestamp lost = stream.timestamp();
    fail_calls("vkEndCommandBuffer", 1, VK_ERROR_OUT_OF_HOST_MEMORY);
    check_error(ErrorCode::out_of_memory, {"commands are lost", "VK_ERROR_OUT_OF_HOST_MEMORY"},
                [&] { stream.submit(); });
    stream.upload(*kept, slot);  // does not wait for the lost work
    kept.reset();
    const Timestamp start = stream.timestamp();
    const Buffer<uint32_t> words = device.buffer<uint32_t>(1000);
    stream.fill(words, 9u);
    check_same(stream.download(words), std::vector<uint32_t>(1000, 9));
    const Timestamp end = stream.timestamp();
    stream.synchronize();
    CHECK_GT(end.seconds_since(start), 0);
    check_error(ErrorCode::invalid_argument, {"has not reached"}, [&] { end.seconds_since(lost); });
  }
  CHECK_EQ(Host::live_allocations(), 0);
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("spans are right if the counter of timestamps wraps between the two") {
  for (const uint32_t bits : {36u, 48u, 63u}) {
    Host host;
    set_timestamp_bits(bits);
    {
      const Device device = vulkan::wrap_device(host.description());
      const Buffer<uint32_t> words = device.buffer<uint32_t>(100'000);
      Stream stream = device.stream();
      const Timestamp start = stream.timestamp();
      stream.fill(words, 1u);
      const Timestamp end = stream.timestamp();
      stream.synchronize();
      const double backwards = start.seconds_since(end);  // reads the start first, just below the counter's end
      CHECK_LT(backwards, 0);
      CHECK_GT(backwards, -10);
      CHECK_EQ(end.seconds_since(start), -backwards);
      CHECK_EQ(end.seconds_since(end), 0);
    }
    set_timestamp_bits(0);
  }
}
