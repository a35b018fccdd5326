#include <weft/weft.h>

#include "tests/algorithms/all_plans/overlap_memory.h"
#include "tests/support/test.h"
#include "tests/support/vulkan_host/host.h"

using namespace weft;
using namespace weft::test;

/// Every plan in the host's command buffer. The tests of algorithms/ hold streams to the same results.

TEST_CASE("frames of a wrapped device compute the bits that streams compute, under every plan") {
  for (const bool minimum : {false, true}) {
    Host host({.minimum = minimum});
    const Device device = vulkan::wrap_device(host.description());
    std::mt19937_64 generator = random_generator("frames");
    const Buffer<uint32_t> memory = device.buffer<uint32_t>(1 << 19);
    vulkan::RecordingArena arena(device);
    Stream stream = device.stream();
    uint64_t frame = 0;
    const RunWork in_frame = [&](const std::function<void(Recorder&)>& record) {
      stream.synchronize();
      host.run([&](VkCommandBuffer commands) {
        const auto calls = Host::calls_of([&] {
          vulkan::Recording recording = arena.record(commands, ++frame);
          record(recording);
        });
        for (const auto& call : calls) CHECK_MESSAGE(call.first.starts_with("vkCmd"), call.first);
      });
      arena.finished(frame);
    };
    for (const OverlapCase& one : overlap_cases(device)) {
      if (!one.compute) continue;
      INFO(one.plan, " ", one.variant, minimum ? ", fewest features" : "");
      Layout at;
      for (const OverlapArgument& argument : one.arguments) at.add(argument.name, 4 * argument.words);
      at.add("temporary", one.temporary_bytes);
      REQUIRE_LE(at.bytes, memory.bytes());
      check_case(stream, one, at, memory, generator, in_frame);
    }
    CHECK_GE(frame, 20);
    CHECK_EQ(host.messages(), 0);
  }
}
