#include <algorithm>
#include <limits>
#include <optional>
#include <thread>

#include <weft/scan.h>
#include <weft/weft.h>

#include "tests/support/memory_cache.h"
#include "tests/support/test.h"
#include "tests/support/vulkan_host/hooks.h"
#include "tests/support/vulkan_host/host.h"

using namespace weft;
using namespace weft::test;

/// Limits and lifetime of arenas, and the opening barrier of a Recording.

namespace {

constexpr uint64_t highest = std::numeric_limits<uint64_t>::max();

/// Numbers of barriers.
struct Barriers {
  int64_t before = 0;  ///< Before the first other command.
  int64_t all = 0;
};

Barriers barriers_of(const std::vector<RecordedCommand>& commands) {
  const auto is_barrier = [](const RecordedCommand& command) { return command.kind == RecordedCommand::barrier; };
  const auto first = std::ranges::find_if_not(commands, is_barrier);
  return {first - commands.begin(), std::ranges::count_if(commands, is_barrier)};
}

}  // namespace

TEST_CASE("a frame below zero is refused, and ends none that is in flight") {
  Host host;
  const Device device = vulkan::wrap_device(host.description());
  vulkan::prepare(device);
  vulkan::RecordingArena arena(device, 256);
  const VkCommandBuffer commands = host.make_commands();
  constexpr uint64_t in_flight = 3;
  Region scratch_of_first;
  for (uint64_t frame = 0; frame < 2; ++frame) {
    for (const uint64_t below : {frame - in_flight, uint64_t{1} << 63}) {
      const auto calls = Host::calls_of([&] {
        check_error(ErrorCode::invalid_argument, {"finished", std::to_string(below), std::to_string(int64_t(below))},
                    [&] { arena.finished(below); });
      });
      CHECK_FALSE(calls.contains("vkFreeMemory"));
    }
    host.begin(commands);
    {
      const Buffer<uint32_t> words = device.buffer<uint32_t>(64);
      vulkan::Recording recording = arena.record(commands, frame);
      recording.fill(words, 1u);
      const Region scratch = recording.scratch(256);
      if (frame == 0) scratch_of_first = scratch;
      CHECK_EQ(scratch.address() == scratch_of_first.address(), frame == 0);
    }
    host.end(commands);
  }
  check_error(ErrorCode::invalid_argument, {"record", "-1"}, [&] { arena.record(commands, highest); });
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("frames in which nothing was recorded may be finished") {
  Host host;
  const Device device = vulkan::wrap_device(host.description());
  vulkan::prepare(device);
  vulkan::RecordingArena arena(device);
  const VkCommandBuffer commands = host.make_commands();
  const auto record = [&](uint64_t frame) {
    host.begin(commands);
    {
      const Buffer<uint32_t> words = device.buffer<uint32_t>(64);
      arena.record(commands, frame).fill(words, 1u);
    }
    host.end(commands);
  };
  const auto frees = [&](uint64_t frame) {
    return Host::calls_of([&] { arena.finished(frame); }).contains("vkFreeMemory");
  };
  arena.finished(1000);  // before the first
  check_error(ErrorCode::invalid_argument, {"frame 1000 is finished", "finished(1000)"},
              [&] { arena.record(commands, 1000); });
  record(1003);
  CHECK_FALSE(frees(1002));
  CHECK_FALSE(frees(7));  // older than before: no effect
  CHECK(frees(1'000'000));
  check_error(ErrorCode::invalid_argument, {"frame 1004", "finished(1000000)"}, [&] { arena.record(commands, 1004); });
  record(highest / 2);  // the last number
  CHECK(frees(highest / 2));
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("scratch memory that no device has is refused, and the arena works on") {
  Host host;
  const Device device = vulkan::wrap_device(host.description());
  vulkan::prepare(device);
  for (const uint64_t bytes : {highest, highest - 100, highest - 256}) {
    INFO(bytes, " bytes");
    check_error(ErrorCode::out_of_memory, {"one buffer"}, [&] { vulkan::RecordingArena(device, bytes); });
  }
  vulkan::RecordingArena arena(device);
  const VkCommandBuffer commands = host.make_commands();
  host.begin(commands);
  {
    vulkan::Recording recording = arena.record(commands, 1);
    const Region before = recording.scratch(100);
    check_error(ErrorCode::out_of_memory, {}, [&] { recording.scratch(highest - 10); });
    const Region behind = recording.scratch(100);
    CHECK_GE(behind.address(), before.address() + 256);
    recording.fill_region(behind, std::vector<std::byte>(4));
  }
  host.end(commands);
  host.run(commands);
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("a host may leave out the barrier that opens a Recording, and no other") {
  Host host;
  const Device device = vulkan::wrap_device(host.description());
  constexpr uint64_t count = 20'000;
  const Scan scan(device, Element::of<uint32_t>(), Operator::sum(), count, {.path = TilePath::reduce_then_scan});
  vulkan::RecordingArena arena(device, scan.temporary_bytes());
  const HostMemoryBlock block = host.make_buffer(4 * count);
  const auto words = vulkan::wrap_buffer<uint32_t>(device, block.all(), count);
  const auto record = [&](vulkan::Opening opening, uint64_t frame) {
    std::fill_n(block.as<uint32_t>(), count, 1u);
    recorded_commands().clear();
    host.run([&](VkCommandBuffer commands) {
      vulkan::Recording recording = arena.record(commands, frame, opening);
      scan.record(
          recording,
          {.input = words, .output = words, .count = count, .temporary = recording.scratch(scan.temporary_bytes())});
    });
    CHECK_EQ(block.as<uint32_t>()[count - 1], count - 1);  // exclusive
    return barriers_of(recorded_commands());
  };
  const Barriers with = record(vulkan::Opening::barrier, 1), without = record(vulkan::Opening::none, 2);
  CHECK_EQ(with.before, 1);
  CHECK_EQ(without.before, 0);
  CHECK_EQ(without.all, with.all - 1);
  CHECK_GE(without.all, 2);
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("an error in the middle of a Recording leaves the arena and the command buffer usable") {
  Host host;
  const Device device = vulkan::wrap_device(host.description());
  vulkan::prepare(device);
  vulkan::RecordingArena arena(device);
  const HostMemoryBlock block = host.make_buffer(4096);
  const auto words = vulkan::wrap_buffer<uint32_t>(device, block.all(), 1024);
  host.run([&](VkCommandBuffer commands) {
    check_error(ErrorCode::invalid_argument, {"same size"}, [&] {
      vulkan::Recording recording = arena.record(commands, 1);
      recording.fill(words, 3u);
      const Recorder::Independent independent(recording);
      recording.copy_region(words.part(0, 4), words.part(8, 5));
    });
    arena.record(commands, 1).fill(words.part(0, 512), 4u);
  });
  CHECK_EQ(block.as<uint32_t>()[511], 4);
  CHECK_EQ(block.as<uint32_t>()[512], 3);
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("descriptor sets are written anew for a Buffer that wraps the same handle and address again") {
  Host host;
  const Device device = vulkan::wrap_device(host.description());
  const Kernel kernel = device.kernel_from_glsl(
      "#version 460\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer Words { uint v[]; };\n"
      "void main() { v[0] += 1; }");
  vulkan::RecordingArena arena(device);
  std::optional<HostMemoryBlock> block = host.make_buffer(4096);
  std::optional<Buffer<uint32_t>> words;
  uint64_t frame = 0;
  const auto wrap = [&] { words = vulkan::wrap_buffer<uint32_t>(device, block->all(), 1024); };
  const auto updates_of_frame = [&] {
    std::map<std::string, uint64_t> calls;
    host.run([&](VkCommandBuffer commands) {
      calls =
          Host::calls_of([&] { arena.record(commands, ++frame).dispatch(kernel, {}, Arguments().bind(0, 0, *words)); });
    });
    arena.finished(frame);
    return calls["vkUpdateDescriptorSets"];
  };
  wrap();
  for (int i = 0; i < 3; ++i) updates_of_frame();
  for (int i = 0; i < 3; ++i) CHECK_EQ(updates_of_frame(), 0);
  wrap();
  CHECK_EQ(updates_of_frame(), 1);
  // A host that replaces its VkBuffer: most drivers return the same handle, and often the same address.
  words.reset();
  host.destroy(*block);
  block = host.make_buffer(4096);
  wrap();
  for (int i = 0; i < 3; ++i) CHECK_EQ(updates_of_frame(), 1);
  CHECK_EQ(*block->as<uint32_t>(), 3);
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("an arena that was moved from says so") {
  Host host;
  const Device device = vulkan::wrap_device(host.description());
  vulkan::RecordingArena arena(device);
  const vulkan::RecordingArena moved(std::move(arena));
  const VkCommandBuffer commands = host.make_commands();
  // NOLINTBEGIN(bugprone-use-after-move)
  check_error(ErrorCode::invalid_argument, {"RecordingArena::record", "moved from"},
              [&] { arena.record(commands, 1); });
  check_error(ErrorCode::invalid_argument, {"RecordingArena::finished", "moved from"}, [&] { arena.finished(1); });
  // NOLINTEND(bugprone-use-after-move)
}

TEST_CASE("a plan, a kernel or memory of another wrap of the device is refused in words that tell the two apart") {
  Host host;
  const Device one = vulkan::wrap_device(host.description()), two = vulkan::wrap_device(host.description());
  vulkan::prepare(two);
  const Scan scan(one, Element::of<uint32_t>(), Operator::sum(), 64);
  const Kernel kernel = one.kernel_from_glsl("#version 460\nlayout(local_size_x = 1) in;\nvoid main() {}");
  const Buffer<uint32_t> words = two.buffer<uint32_t>(64);
  vulkan::RecordingArena arena(two, scan.temporary_bytes());
  host.run([&](VkCommandBuffer commands) {
    vulkan::Recording recording = arena.record(commands, 1);
    const Region scratch = recording.scratch(scan.temporary_bytes());
    const std::vector<std::string> apart = {"vulkan:wrapped", "wrapped separately", "recorded on"};
    check_error(ErrorCode::invalid_argument, apart,
                [&] { scan.record(recording, {.input = words, .output = words, .count = 64, .temporary = scratch}); });
    check_error(ErrorCode::invalid_argument, apart, [&] { recording.dispatch(kernel, {}, {}); });
  });
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("scratch memory is bound as it comes") {
  Host host;
  const Device device = vulkan::wrap_device(host.description());
  vulkan::prepare(device);
  const Kernel kernel = device.kernel_from_glsl(
      "#version 460\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer From { uint x[]; };\n"
      "layout(binding = 1) buffer To { uint y[]; };\nvoid main() { y[0] = x[3] + x.length(); }");
  const HostMemoryBlock block = host.make_buffer(256);
  const auto to = vulkan::wrap_buffer<uint32_t>(device, block.all(), 64);
  vulkan::RecordingArena arena(device, 1024);
  host.run([&](VkCommandBuffer commands) {
    vulkan::Recording recording = arena.record(commands, 1);
    const Region from = recording.scratch(40);
    recording.fill(View<uint32_t>(from), 9u);
    recording.dispatch(kernel, {}, Arguments().bind(0, 0, from).bind(0, 1, to));
  });
  CHECK_EQ(*block.as<uint32_t>(), 19);
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("an arena may go before the plans that it recorded, and after the Device handle") {
  Host host;
  {
    std::optional<Device> device = vulkan::wrap_device(host.description());
    constexpr uint64_t count = 1000;
    const Scan scan(*device, Element::of<uint32_t>(), Operator::sum(), count);
    const Buffer<uint32_t> words = device->buffer<uint32_t>(count);
    std::optional<vulkan::RecordingArena> arena(std::in_place, *device);
    device.reset();
    const VkCommandBuffer commands = host.make_commands();
    host.begin(commands);
    {
      vulkan::Recording recording = arena->record(commands, 1);
      scan.record(
          recording,
          {.input = words, .output = words, .count = count, .temporary = recording.scratch(scan.temporary_bytes())});
    }
    host.end(commands);
    host.run(commands);
    arena.reset();
  }
  CHECK_EQ(Host::live_allocations(), 0);
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("what was recorded and never submitted holds nothing once its arena is gone") {
  Host host;
  const Device device = vulkan::wrap_device(host.description());
  vulkan::prepare(device);
  std::optional<vulkan::RecordingArena> arena(std::in_place, device);
  const VkCommandBuffer dropped = host.make_commands();
  host.begin(dropped);
  {
    const Buffer<uint32_t> words = device.buffer<uint32_t>(64);
    arena->record(dropped, 3).fill(words, 1u);
  }
  host.end(dropped);
  const auto calls = Host::calls_of([&] { arena.reset(); });
  CHECK(calls.contains("vkFreeMemory"));
  for (const auto& [name, count] : calls) {
    INFO(name, " was called ", count, " times");
    CHECK((name.starts_with("vkDestroy") || name.starts_with("vkFree")));
  }
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("two threads record, finish and destroy on one device at the same time") {
  Host host;
  {
    const Device device = vulkan::wrap_device(host.description());
    vulkan::prepare(device);
    std::vector<VkCommandBuffer> commands{host.make_commands(), host.make_commands()};
    std::vector<std::jthread> threads;
    for (const VkCommandBuffer one : commands) {
      threads.emplace_back([&, one] {
        vulkan::RecordingArena arena(device);
        for (uint64_t frame = 0; frame < 100; ++frame) {
          host.begin(one);
          {
            const Buffer<uint32_t> words = device.buffer<uint32_t>(64);
            arena.record(one, frame).fill(words, 1u);
          }
          host.end(one);
          if (frame >= 2) arena.finished(frame - 2);
        }
      });
    }
  }
  CHECK_EQ(Host::live_allocations(), 0);
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("a device of Weft's own compiles copies and fills for its first use of one, or its first arena") {
  const auto own_device = [](const std::shared_ptr<MemoryCache>& cache) {
    DeviceOptions options;
    options.cache = cache;
    return open_device("vulkan", options);
  };
  const auto pipelines = [](const MemoryCache& cache) {
    return std::ranges::count_if(cache.entries, [](const auto& entry) { return entry.first.starts_with("vulkan "); });
  };
  const auto of_stream = std::make_shared<MemoryCache>(), of_arena = std::make_shared<MemoryCache>();
  const Device device = own_device(of_stream);
  static_cast<void>(device.kernel_from_glsl("#version 460\nlayout(local_size_x = 1) in;\nvoid main() {}"));
  CHECK_EQ(pipelines(*of_stream), 1);
  device.stream().fill(device.buffer<uint32_t>(10), 0u);
  CHECK_EQ(pipelines(*of_stream), 3);
  const vulkan::RecordingArena arena(own_device(of_arena));
  CHECK_EQ(pipelines(*of_arena), 2);
}
