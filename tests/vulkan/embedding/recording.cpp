#include <algorithm>
#include <numeric>
#include <thread>

#include <weft/compact.h>
#include <weft/glsl.h>
#include <weft/histogram.h>
#include <weft/scan.h>
#include <weft/sort.h>
#include <weft/weft.h>

#include "tests/support/test.h"
#include "tests/support/vulkan_host/hooks.h"
#include "tests/support/vulkan_host/host.h"

using namespace weft;
using namespace weft::test;

/// Recording into the host's command buffers.

namespace {

constexpr const char* const adding = R"(#version 460
  layout(local_size_x = 64) in;
  layout(binding = 0, std430) readonly buffer In { uint v[]; } source;
  layout(binding = 1, std430) buffer Out { uint v[]; } sink;
  void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < source.v.length()) sink.v[i] += source.v[i];
  })";

/// Compacts the even words of a buffer, sorts them, and counts them by their highest four bits. The number of words
/// stays on the device.
struct Chain {
  static constexpr uint32_t most = 3000, bins = 16;

  explicit Chain(const Device& device)
      : compact(device, Element::of<uint32_t>(), Selection::when("(x & 1u) == 0u"), most),
        sort(device, Element::of<uint32_t>(), most),
        histogram(device, Element::of<uint32_t>(), Bins::even(bins, 0, 4294967296.0), most) {}

  struct Memory {
    Region input, output, selected, bins;
  };
  uint64_t scratch_bytes() const { return compact.temporary_bytes() + sort.temporary_bytes() + 4 * 256; }
  void record(vulkan::Recording& recording, const Memory& memory) const {
    const View<const uint64_t> selected(memory.selected);
    compact.record(recording, {.input = memory.input,
                               .output = memory.output,
                               .selected = memory.selected,
                               .count = most,
                               .temporary = recording.scratch(compact.temporary_bytes())});
    sort.record(recording, {.keys = memory.output,
                            .keys_out = memory.output,
                            .count = selected,
                            .temporary = recording.scratch(sort.temporary_bytes())});
    histogram.record(recording, {.input = memory.output, .output = memory.bins, .count = selected});
  }

  Compact compact;
  Sort sort;
  Histogram histogram;
};

/// The chain's memory in parts of one VkBuffer, at unaligned offsets.
struct ChainBuffers {
  ChainBuffers(Host& host, const Device& device) : block(host.make_buffer(64 * 1024)) {
    const auto part = [&](uint64_t offset, uint64_t bytes) { return block.part(offset, bytes); };
    input = vulkan::wrap_buffer<uint32_t>(device, part(4, 4 * Chain::most), Chain::most);
    output = vulkan::wrap_buffer<uint32_t>(device, part(16 * 1024 + 12, 4 * Chain::most), Chain::most);
    selected = vulkan::wrap_buffer<uint64_t>(device, part(32 * 1024 + 8, 8), 1);
    bins = vulkan::wrap_buffer<uint32_t>(device, part(40 * 1024 + 20, 4 * Chain::bins), Chain::bins);
  }
  Chain::Memory memory() const { return {input, output, selected, bins}; }

  void set_input(uint32_t seed) {
    uint32_t x = seed * 2654435761u + 1;
    for (uint32_t i = 0; i < Chain::most; ++i) block.as<uint32_t>(4)[i] = x = x * 1664525u + 1013904223u;
  }
  void check() const {
    std::vector<uint32_t> expected;
    std::vector<uint32_t> counts(Chain::bins);
    const auto* const in = block.as<uint32_t>(4);
    std::copy_if(in, in + Chain::most, std::back_inserter(expected), [](uint32_t v) { return v % 2 == 0; });
    std::ranges::sort(expected);
    for (const uint32_t x : expected) ++counts[x >> 28];
    REQUIRE_EQ(*block.as<uint64_t>(32 * 1024 + 8), expected.size());
    const auto* const out = block.as<uint32_t>(16 * 1024 + 12);
    check_same(std::vector<uint32_t>(out, out + expected.size()), expected);
    const auto* const counted = block.as<uint32_t>(40 * 1024 + 20);
    check_same(std::vector<uint32_t>(counted, counted + Chain::bins), counts);
  }

  HostMemoryBlock block;
  Buffer<uint32_t> input, output, bins;
  Buffer<uint64_t> selected;
};

void check_only_commands(const std::map<std::string, uint64_t>& calls) {
  for (const auto& [name, count] : calls) {
    INFO(name, " was called ", count, " times");
    CHECK(name.starts_with("vkCmd"));
  }
  CHECK(calls.contains("vkCmdDispatch"));
}

}  // namespace

TEST_CASE("a frame calls nothing but vkCmd*, from the first one on, with any features") {
  for (const HostFeatures& features :
       {HostFeatures{}, HostFeatures{.minimum = true},
        HostFeatures{.chain = HostFeatures::Chain::single, .minimum = true, .timelines = false}}) {
    Host host(features);
    const Device device = vulkan::wrap_device(host.description());
    const Chain chain(device);
    ChainBuffers buffers(host, device);
    vulkan::RecordingArena arena(device, chain.scratch_bytes());
    const uint64_t disturbed = disturbances();
    for (uint64_t frame = 0; frame < 8; ++frame) {
      buffers.set_input(uint32_t(frame));
      host.run([&](VkCommandBuffer commands) {
        const auto calls = Host::calls_of([&] {
          vulkan::Recording recording = arena.record(commands, frame);
          chain.record(recording, buffers.memory());
        });
        check_only_commands(calls);
        CHECK_EQ(calls.contains("vkCmdBeginDebugUtilsLabelEXT"), host.validates());
        CHECK_EQ(calls.contains("vkCmdEndDebugUtilsLabelEXT"), host.validates());
        if (host.validates()) CHECK_EQ(calls.at("vkCmdInsertDebugUtilsLabelEXT"), calls.at("vkCmdDispatch"));
        CHECK_EQ(calls.contains("vkCmdPipelineBarrier2"), !features.minimum);
      });
      buffers.check();
      if (frame >= 2) arena.finished(frame - 2);  // three frames in flight
    }
    CHECK_EQ(disturbances(), disturbed);
    CHECK_EQ(host.messages(), 0);
  }
}

TEST_CASE("copies and fills need prepare() or a kernel, and then compile nothing") {
  Host host;
  const Device device = vulkan::wrap_device(host.description());
  const HostMemoryBlock block = host.make_buffer(4096);
  const auto words = vulkan::wrap_buffer<uint32_t>(device, block.all(), 1024);
  vulkan::RecordingArena arena(device);
  host.run([&](VkCommandBuffer commands) {
    vulkan::Recording recording = arena.record(commands, 1);
    const auto calls = Host::calls_of([&] {
      check_error(ErrorCode::invalid_argument, {"fill", "prepare()"}, [&] { recording.fill(words, 7u); });
      check_error(ErrorCode::invalid_argument, {"copy", "prepare()"},
                  [&] { recording.copy<uint32_t>(words.part(0, 4), words.part(4, 4)); });
      check_error(ErrorCode::unsupported, {"timestamps", "vkCmdWriteTimestamp"}, [&] { recording.timestamp(); });
    });
    CHECK(calls.empty());
    vulkan::prepare(device);
    check_only_commands(Host::calls_of([&] {
      recording.fill(words, 7u);
      recording.copy<uint32_t>(words.part(0, 4), words.part(4, 4));
    }));
  });
  CHECK_EQ(block.as<uint32_t>()[1023], 7);
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("a command buffer runs again on other data, as a secondary one too, or never") {
  Host host;
  const Device device = vulkan::wrap_device(host.description());
  const Chain chain(device);
  ChainBuffers buffers(host, device);
  vulkan::RecordingArena arena(device, chain.scratch_bytes());
  const VkCommandBuffer primary = host.make_commands(), outer = host.make_commands();
  const VkCommandBuffer secondary = host.make_commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  for (const bool second : {false, true}) {
    const VkCommandBuffer commands = second ? secondary : primary;
    host.begin(commands, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, second);
    host.barrier_before(commands);
    {
      vulkan::Recording recording = arena.record(commands, 5);
      chain.record(recording, buffers.memory());
    }
    host.barrier_behind(commands);
    host.end(commands);
  }
  host.begin(outer);
  host.vkCmdExecuteCommands(outer, 1, &secondary);
  host.end(outer);
  for (uint32_t seed = 0; seed < 4; ++seed) {
    buffers.set_input(seed);
    host.run(seed % 2 ? outer : primary);
    buffers.check();
  }
  arena.finished(5);
  const VkCommandBuffer dropped = host.make_commands();
  host.begin(dropped);
  vulkan::Recording(arena.record(dropped, 6)).fill(buffers.bins, 0u);
  host.end(dropped);
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("nothing is freed or used again before its frame is finished") {
  Host host;
  const Device device = vulkan::wrap_device(host.description());
  vulkan::RecordingArena arena(device, 1000);
  const VkCommandBuffer commands = host.make_commands();
  host.begin(commands);
  std::set<uint64_t> addresses;
  for (uint64_t frame = 10; frame < 13; ++frame) {
    for (int i = 0; i < 2; ++i) {
      vulkan::Recording recording = arena.record(commands, frame);
      const Region scratch = recording.scratch(400);
      CHECK_EQ(scratch.address() % 256, 0);
      CHECK(addresses.insert(scratch.address()).second);
    }
  }
  {
    const Kernel kernel = device.kernel_from_glsl(adding);
    const Buffer<uint32_t> one = device.buffer<uint32_t>(64), two = device.buffer<uint32_t>(64);
    vulkan::Recording recording = arena.record(commands, 12);
    recording.dispatch(kernel, {1, 1, 1}, Arguments().bind(0, 0, one).bind(0, 1, two));
  }
  host.end(commands);
  const auto freed = [](const std::map<std::string, uint64_t>& calls) {
    return std::pair(calls.contains("vkDestroyPipeline"), calls.contains("vkFreeMemory"));
  };
  const auto takes_used_scratch = [&](uint64_t frame) {
    vulkan::Recording recording = arena.record(commands, frame);
    return !addresses.insert(recording.scratch(400).address()).second;
  };
  CHECK_EQ(freed(Host::calls_of([&] { arena.finished(10); })), std::pair(false, false));
  CHECK(takes_used_scratch(13));        // frame 10's
  CHECK_FALSE(takes_used_scratch(14));  // frames 11 to 13 are in flight
  CHECK_EQ(freed(Host::calls_of([&] { arena.finished(11); })), std::pair(false, false));
  check_error(ErrorCode::invalid_argument, {"frame 12", "frame 14"}, [&] { arena.record(commands, 12); });
  check_error(ErrorCode::invalid_argument, {"null"}, [&] { arena.record(nullptr, 15); });
  CHECK_EQ(freed(Host::calls_of([&] { arena.finished(12); })), std::pair(true, true));
  arena.finished(14);
  check_error(ErrorCode::invalid_argument, {"frame 14", "finished"}, [&] { arena.record(commands, 14); });
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("a plan may be destroyed while its frame is in flight, and closing the device neither waits nor submits") {
  Host host;
  const auto calls = Host::calls_of([&] {
    const Device device = vulkan::wrap_device(host.description());
    ChainBuffers buffers(host, device);
    vulkan::RecordingArena arena(device);
    buffers.set_input(3);
    const VkCommandBuffer commands = host.make_commands();
    host.begin(commands);
    host.barrier_before(commands);
    {
      const Chain chain(device);
      vulkan::Recording recording = arena.record(commands, 0);
      chain.record(recording, buffers.memory());
    }
    host.barrier_behind(commands);
    host.end(commands);
    host.run(commands);
    buffers.check();
  });
  for (const char* const name : {"vkQueueSubmit", "vkQueueSubmit2", "vkWaitForFences", "vkWaitSemaphores"}) {
    INFO(name);
    CHECK_FALSE(calls.contains(name));
  }
  CHECK_EQ(Host::live_allocations(), 0);
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("a kernel with bindings is dispatched between the host's commands, and its sets are kept") {
  Host host;
  const Device device = vulkan::wrap_device(host.description());
  const Kernel kernel = device.kernel_from_glsl(adding);
  const HostMemoryBlock block = host.make_buffer(4096);
  const auto source = vulkan::wrap_buffer<uint32_t>(device, block.part(0, 1024), 256);
  const auto sink = vulkan::wrap_buffer<uint32_t>(device, block.part(2048, 1024), 256);
  vulkan::RecordingArena arena(device);
  for (uint64_t frame = 0; frame < 9; ++frame) {
    std::iota(block.as<uint32_t>(), block.as<uint32_t>() + 256, uint32_t(frame));
    host.run([&](VkCommandBuffer commands) {
      const auto calls = Host::calls_of([&] {
        vulkan::Recording recording = arena.record(commands, frame);
        for (int i = 0; i < 2; ++i) {
          recording.dispatch(kernel, {4, 1, 1}, Arguments().bind(0, 0, source).bind(0, 1, sink));
        }
      });
      if (frame >= 3) check_only_commands(calls);
    });
    for (uint32_t i = 0; i < 256; ++i) {
      const uint32_t expected = 2 * uint32_t((frame + 1) * i + frame * (frame + 1) / 2);
      CHECK_EQ(block.as<uint32_t>(2048)[i], expected);
    }
    arena.finished(frame);
  }
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("threads record at the same time, each with its arena") {
  Host host;
  const Device device = vulkan::wrap_device(host.description());
  const Chain chain(device);
  struct Thread {
    std::unique_ptr<ChainBuffers> buffers;
    std::unique_ptr<vulkan::RecordingArena> arena;
    VkCommandBuffer commands;
  };
  std::vector<Thread> threads;
  for (uint32_t i = 0; i < 2; ++i) {
    threads.push_back({std::make_unique<ChainBuffers>(host, device),
                       std::make_unique<vulkan::RecordingArena>(device, chain.scratch_bytes()), host.make_commands()});
    threads.back().buffers->set_input(i);
    host.begin(threads.back().commands);
    host.barrier_before(threads.back().commands);
  }
  {
    std::vector<std::jthread> running;
    for (Thread& thread : threads) {
      running.emplace_back([&] {
        for (uint64_t frame = 0; frame < 50; ++frame) {
          vulkan::Recording recording = thread.arena->record(thread.commands, frame);
          chain.record(recording, thread.buffers->memory());
          const Buffer<uint32_t> gone = device.buffer<uint32_t>(16);
          if (frame >= 1) thread.arena->finished(frame - 1);
        }
      });
    }
  }
  for (Thread& thread : threads) {
    host.barrier_behind(thread.commands);
    host.end(thread.commands);
    host.run(thread.commands);
    thread.buffers->check();
  }
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("a thousand frames make nothing and leave nothing") {
  Host host;
  const Device device = vulkan::wrap_device(host.description());
  const Chain chain(device);
  ChainBuffers buffers(host, device);
  vulkan::RecordingArena arena(device, chain.scratch_bytes());
  const VkCommandBuffer commands = host.make_commands();
  const auto frame_of = [&](uint64_t frame) {
    host.begin(commands);
    {
      vulkan::Recording recording = arena.record(commands, frame);
      chain.record(recording, buffers.memory());
    }
    host.end(commands);
    if (frame >= 1) arena.finished(frame - 1);
  };
  frame_of(0);
  const int64_t alive = Host::live_allocations();
  const auto calls = Host::calls_of([&] {
    for (uint64_t frame = 1; frame < 1000; ++frame) frame_of(frame);
  });
  check_only_commands(calls);
  CHECK_EQ(Host::live_allocations(), alive);
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("a frame computes the same bits as a stream of Weft's own device") {
  Host host;
  const Device wrapped = vulkan::wrap_device(host.description());
  const Device own = open_device("vulkan");
  const uint32_t count = 5000;
  std::vector<float> data(count);
  for (uint32_t i = 0; i < count; ++i) data[i] = 1.0f / float(1 + i * 37 % 1009);
  const auto run = [&](const Device& device, Recorder& recorder, const Region& in, const Region& out,
                       const Region& temporary) {
    Scan(device, Element::of<float>(), Operator::sum(), count, {.path = TilePath::reduce_then_scan})
        .record(recorder, {.input = in, .output = out, .count = count, .temporary = temporary});
  };
  const uint64_t bytes =
      Scan(own, Element::of<float>(), Operator::sum(), count, {.path = TilePath::reduce_then_scan}).temporary_bytes();
  Stream stream = own.stream();
  const Buffer<float> in = own.buffer<float>(count), out = own.buffer<float>(count);
  stream.upload(in, data);
  run(own, stream, in, out, stream.scratch(bytes));
  const HostMemoryBlock block = host.make_buffer(8 * count);
  std::ranges::copy(data, block.as<float>());
  vulkan::RecordingArena arena(wrapped);
  host.run([&](VkCommandBuffer commands) {
    const auto from = vulkan::wrap_buffer<float>(wrapped, block.part(0, 4 * count), count);
    const auto to = vulkan::wrap_address<float>(wrapped, block.address + 4 * count, count);
    vulkan::Recording recording = arena.record(commands, 1);
    run(wrapped, recording, from, to, recording.scratch(bytes));
  });
  const auto* const got = block.as<float>(4 * count);
  check_same(std::vector<float>(got, got + count), stream.download(out));
  CHECK_EQ(host.messages(), 0);
}
