#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <weft/compact.h>
#include <weft/scan.h>
#include <weft/weft.h>

#include "tests/support/test.h"
#include "tests/support/vulkan_host/hazards_check.h"
#include "tests/support/vulkan_host/host.h"
#include "tests/support/vulkan_host/traced.h"

using namespace weft;
using namespace weft::test;

/// Barriers of Recordings and around them, by the bytes that each command reads and writes. The tests of algorithms/
/// check those within every plan.

namespace {

constexpr uint64_t word_count = 20'000;

/// A frame of the host's: it copies its input in, Weft computes, it copies the output out.
struct Frame {
  explicit Frame(bool minimum)
      : host({.minimum = minimum, .loader = traced_get_proc_addr}),
        device(vulkan::wrap_device(host.description())),
        arena(device),
        compact(device, Element::of<uint32_t>(), Selection::when("x > 7u"), word_count),
        scan(device, Element::of<uint32_t>(), Operator::sum(), word_count) {
    vulkan::prepare(device);
  }

  Buffer<uint32_t> words(uint64_t at) const {
    return vulkan::wrap_buffer<uint32_t>(device, block.part(at << 17, 4 * word_count), word_count);
  }

  /// Copies words between two parts of the block.
  void copy(VkCommandBuffer commands, uint64_t from, uint64_t to) const {
    const VkBufferCopy region{from << 17, to << 17, 4 * word_count};
    host.vkCmdCopyBuffer(commands, block.buffer, block.buffer, 1, &region);
  }

  void barrier(VkCommandBuffer commands, vulkan::Access source, vulkan::Access destination) const {
    VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    memory.srcAccessMask = VkAccessFlags(source.accesses);
    memory.dstAccessMask = VkAccessFlags(destination.accesses);
    host.vkCmdPipelineBarrier(commands, VkPipelineStageFlags(source.stages), VkPipelineStageFlags(destination.stages),
                              0, 1, &memory, 0, nullptr, 0, nullptr);
  }

  /// Compacts words 1 to words 2 in a Recording. Writes their sums to words 3 in a second one.
  void compute(VkCommandBuffer commands, vulkan::Opening second) {
    const auto selected = vulkan::wrap_buffer<uint64_t>(device, block.part(7 << 17, 8), 1);
    {
      vulkan::Recording recording = arena.record(commands, 0, vulkan::Opening::none);
      compact.record(recording, {.input = words(1),
                                 .output = words(2),
                                 .selected = selected,
                                 .count = word_count,
                                 .temporary = recording.scratch(compact.temporary_bytes())});
    }
    vulkan::Recording recording = arena.record(commands, 0, second);
    scan.record(recording, {.input = words(2),
                            .output = words(3),
                            .count = View<const uint64_t>(selected.view()),
                            .temporary = recording.scratch(scan.temporary_bytes())});
  }

  /// Submits the frame that `record` records, and returns what the queue did.
  std::vector<QueueStep> run(const std::function<void(VkCommandBuffer)>& record) {
    const VkCommandBuffer commands = host.make_commands();
    host.begin(commands);
    record(commands);
    host.end(commands);
    queue_steps().clear();
    host.run(commands);
    return std::exchange(queue_steps(), {});
  }

  Host host;
  Device device;
  vulkan::RecordingArena arena;
  Compact compact;
  Scan scan;
  HostMemoryBlock block = host.make_buffer(1 << 20, vulkan::buffer_usage() | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
};

/// Commands with every kind of access. Each reads the start of words 1 and writes the start of words 2.
struct Commands {
  explicit Commands(Frame& frame) : frame(frame) {
    std::fill_n(frame.block.as<uint32_t>(), 4, 1u);
    std::fill_n(frame.block.as<uint32_t>(5 << 17), 64, 1u);
  }

  Buffer<uint8_t> bytes_of(uint64_t at) const {
    return vulkan::wrap_buffer<uint8_t>(frame.device, frame.block.part(at << 17, 64), 64);
  }

  Frame& frame;
  Kernel kernel = frame.device.kernel_from_glsl(R"(#version 460
    layout(local_size_x = 1) in;
    layout(binding = 0) uniform Scale { uint factor; };
    layout(binding = 1, std430) readonly buffer In { uint v[]; } source;
    layout(binding = 2, std430) writeonly buffer Out { uint v[]; } sink;
    void main() { sink.v[0] = factor * source.v[0]; })");
  Buffer<uint32_t> numbers = vulkan::wrap_buffer<uint32_t>(frame.device, frame.block.part(5 << 17, 256), 64);
  Buffer<uint32_t> from = frame.words(1), to = frame.words(2);
  std::vector<std::pair<std::string, std::function<void(Recorder&)>>> kinds{
      {"reads of a storage buffer",
       [this](Recorder& recorder) {
         recorder.dispatch(kernel, {1, 1, 1}, Arguments().bind(0, 0, numbers).bind(0, 1, from).bind(0, 2, to));
       }},
      {"reads of a uniform buffer",
       [this](Recorder& recorder) {
         recorder.dispatch(kernel, {1, 1, 1},
                           Arguments().bind(0, 0, from.part(0, 4)).bind(0, 1, numbers).bind(0, 2, to));
       }},
      {"reads of an indirect command",
       [this](Recorder& recorder) {
         recorder.dispatch_indirect(kernel, from.part(0, 3),
                                    Arguments().bind(0, 0, numbers).bind(0, 1, numbers).bind(0, 2, to));
       }},
      {"a copy by the driver",
       [this](Recorder& recorder) { recorder.copy<uint8_t>(bytes_of(1).part(1, 5), bytes_of(2).part(2, 5)); }},
  };
};

constexpr vulkan::Access host_writes{VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT};
constexpr vulkan::Access host_reads{VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT};

}  // namespace

TEST_CASE("barriers with first_access() and last_access() order Weft's work with the host's") {
  for (const bool minimum : {false, true}) {
    Frame frame(minimum);
    for (uint32_t i = 0; i < word_count; ++i) frame.block.as<uint32_t>()[i] = i % 10;
    const std::vector<QueueStep> steps = frame.run([&](VkCommandBuffer commands) {
      frame.copy(commands, 0, 1);
      frame.barrier(commands, host_writes, vulkan::first_access());
      frame.compute(commands, vulkan::Opening::barrier);
      frame.barrier(commands, vulkan::last_access(), host_reads);
      frame.copy(commands, 3, 4);
    });
    CHECK_GE(steps.size(), 9);
    check_barriers(steps);
    CHECK_EQ(frame.block.as<uint32_t>(4 << 17)[word_count / 5 - 1], word_count / 10 * 17 - 9);  // exclusive
  }
}

TEST_CASE("first_access() and last_access() have the scopes of every kind of command, and no more") {
  const vulkan::Access first = vulkan::first_access(), last = vulkan::last_access();
  const VkPipelineStageFlags writers = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  CHECK_EQ(first.stages, writers | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT);
  CHECK_EQ(last.stages, writers);
  Frame frame(false);
  const Commands commands_of_each_kind(frame);
  for (const auto& [kind, record] : commands_of_each_kind.kinds) {
    INFO(kind);
    const std::vector<QueueStep> steps = frame.run([&](VkCommandBuffer commands) {
      frame.copy(commands, 0, 1);
      frame.copy(commands, 0, 2);
      frame.barrier(commands, host_writes, first);
      vulkan::Recording recording = frame.arena.record(commands, 0, vulkan::Opening::none);
      record(recording);
    });
    CHECK_EQ(std::ranges::count(steps, QueueStep::command, &QueueStep::kind), 3);
    check_barriers(steps);
    const std::vector<QueueStep> after = frame.run([&](VkCommandBuffer commands) {
      {
        vulkan::Recording recording = frame.arena.record(commands, 0, vulkan::Opening::none);
        record(recording);
      }
      frame.barrier(commands, last, host_reads);
      frame.copy(commands, 2, 4);
    });
    check_barriers(after);
  }
}

TEST_CASE("writes of an independent scope are ordered with every kind of access before and after it") {
  Frame frame(false);
  const Commands commands_of_each_kind(frame);
  const std::pair<const char*, std::function<void(Recorder&)>> writers[] = {
      {"writes of a kernel", [&](Recorder& recorder) { recorder.fill(frame.words(1).part(0, 4), 1u); }},
      {"writes of the driver",
       [&](Recorder& recorder) {
         recorder.copy<uint8_t>(commands_of_each_kind.bytes_of(0).part(1, 2),
                                commands_of_each_kind.bytes_of(1).part(1, 2));
       }},
  };
  for (const auto& [writer, write] : writers) {
    for (const auto& [reader, read] : commands_of_each_kind.kinds) {
      INFO(writer, ", ", reader);
      const std::vector<QueueStep> steps = frame.run([&](VkCommandBuffer commands) {
        frame.copy(commands, 0, 1);
        frame.barrier(commands, host_writes, vulkan::first_access());
        vulkan::Recording recording = frame.arena.record(commands, 0, vulkan::Opening::none);
        for (int round = 0; round < 2; ++round) {
          {
            const Recorder::Independent independent(recording);
            write(recording);
          }
          read(recording);
        }
      });
      CHECK_EQ(std::ranges::count(steps, QueueStep::command, &QueueStep::kind), 5);
      check_barriers(steps);
    }
  }
}

TEST_CASE("a Recording without an opening barrier needs the host's") {
  Frame frame(false);
  for (const bool ordered : {false, true}) {
    const std::vector<QueueStep> steps = frame.run([&](VkCommandBuffer commands) {
      frame.arena.record(commands, 0, vulkan::Opening::none).fill(frame.words(1), 9u);
      if (ordered) frame.barrier(commands, vulkan::last_access(), vulkan::first_access());
      frame.arena.record(commands, 0, vulkan::Opening::none).fill(frame.words(1), 8u);
    });
    CHECK_EQ(find_hazards(steps).empty(), ordered);
  }
}

TEST_CASE("barriers order kernels with bindings, and name reads of uniform buffers and indirect commands") {
  Frame frame(false);
  const Kernel kernel = frame.device.kernel_from_glsl(R"(#version 460
    layout(local_size_x = 64) in;
    layout(binding = 0) uniform Scale { uint factor; };
    layout(binding = 1, std430) buffer Words { uint v[]; };
    void main() { v[gl_GlobalInvocationID.x] *= factor; })");
  const auto scale = frame.device.buffer<uint32_t>(64), groups = frame.device.buffer<uint32_t>(3);
  const auto words = vulkan::wrap_buffer<uint32_t>(frame.device, frame.block.part(0, 256), 64);
  const auto bytes = vulkan::wrap_buffer<uint8_t>(frame.device, frame.block.part(0, 1024), 1024);
  const Arguments arguments = Arguments().bind(0, 0, scale).bind(0, 1, words);
  const std::vector<QueueStep> steps = frame.run([&](VkCommandBuffer commands) {
    vulkan::Recording recording = frame.arena.record(commands, 0, vulkan::Opening::none);
    {
      const Recorder::Independent independent(recording);
      recording.fill(words, 5u);
      recording.fill(scale, 3u);
    }
    recording.dispatch(kernel, {1, 1, 1}, arguments);
    recording.dispatch(kernel, {1, 1, 1}, arguments);
    recording.fill(scale, 2u);  // after the kernels have read it
    recording.dispatch(kernel, {1, 1, 1}, arguments);
    recording.fill(groups, 1u);
    recording.dispatch_indirect(kernel, groups, arguments);
    recording.copy<uint8_t>(bytes.part(1, 5), bytes.part(514, 5));  // by the driver
    recording.copy<uint8_t>(bytes.part(514, 5), bytes.part(771, 5));
  });
  check_barriers(steps);
  check_same(std::vector<uint32_t>(frame.block.as<uint32_t>(), frame.block.as<uint32_t>() + 64),
             std::vector<uint32_t>(64, 5 * 3 * 3 * 2 * 2));
}

TEST_CASE("the opening barrier orders a Recording after earlier command buffers") {
  Frame frame(false);
  std::vector<VkCommandBuffer> both;
  for (const uint32_t value : {1u, 2u}) {
    both.push_back(frame.host.make_commands());
    frame.host.begin(both.back());
    frame.arena.record(both.back(), 0).fill(frame.words(0), value);
    frame.host.end(both.back());
  }
  queue_steps().clear();
  frame.host.submit_timeline(both[0], VK_NULL_HANDLE, 0, VK_NULL_HANDLE, 0);
  frame.host.run(both[1]);
  const std::vector<QueueStep> steps = std::exchange(queue_steps(), {});
  CHECK_EQ(std::ranges::count(steps, QueueStep::command, &QueueStep::kind), 2);
  check_barriers(steps);
}
