#include <algorithm>
#include <utility>

#include "tests/algorithms/all_plans/overlap_cases.h"
#include "tests/support/test.h"
#include "tests/support/vulkan_host/hazards_check.h"

using namespace weft;
using namespace weft::test;

/// Barriers under every plan, by the bytes that each command reads and writes. On a traced device every test fails on a
/// hazard; these also leave out each barrier, to see that its absence is found.

namespace {

/// What the queue does for `record`.
std::vector<QueueStep> steps_of(Stream& stream, const std::function<void()>& record) {
  stream.synchronize();
  queue_steps().clear();
  record();
  stream.synchronize();
  std::vector<QueueStep> steps = std::exchange(queue_steps(), {});
  if (steps.empty()) unsupported("not a traced device");
  return steps;
}

void check_result(Stream& stream, const OverlapCase& one, const Contents& before,
                  std::map<std::string, Buffer<uint32_t>>& buffers) {
  if (!one.compute || !one.unordered.empty()) return;
  Contents after = before;
  one.compute(before, after);
  for (const OverlapArgument& argument : one.arguments) {
    if (argument.fill == Fill::nothing) {
      check_same(stream.download(buffers[argument.name].view()), after[argument.name], argument.name);
    }
  }
}

}  // namespace

DEVICE_TEST("barriers order the accesses of every plan, and the absence of one is found") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("hazards");
  for (const OverlapCase& one : overlap_cases(device)) {
    INFO(one.plan, " ", one.variant);
    std::map<std::string, Buffer<uint32_t>> buffers;
    Contents before;
    for (const OverlapArgument& argument : one.arguments) {
      before[argument.name] = filled(argument, generator);
      buffers[argument.name] = device.buffer<uint32_t>(argument.words);
      stream.upload(buffers[argument.name], before[argument.name]);
    }
    buffers["temporary"] = device.buffer<uint32_t>(one.temporary_bytes / 4);
    Regions regions;
    for (const auto& [name, buffer] : buffers) regions[name] = buffer.view().region();
    check_barriers(steps_of(stream, [&] { one.record(stream, regions); }));
    check_result(stream, one, before, buffers);
  }
}

DEVICE_TEST("barriers order copies and fills, words and the bytes around them") {
  Stream stream = device.stream();
  constexpr uint64_t much = (1 << 19) + 9;  // Less is copied by the driver alone, unless it is whole words.
  const Buffer<uint8_t> a = device.buffer<uint8_t>(much + 3), b = device.buffer<uint8_t>(much + 3);
  const std::vector<QueueStep> steps = steps_of(stream, [&] {
    stream.fill(a, uint8_t{1});
    stream.copy<uint8_t>(a.part(1, much), b.part(1, much));  // by a kernel, and its ends by the driver
    stream.copy<uint8_t>(b.part(0, 2), a.part(5, 2));        // by the driver
    stream.fill(b, uint8_t{2});
    {
      const auto scope = stream.independent();
      stream.copy<uint8_t>(a.part(0, 512), b.part(512, 512));
      stream.copy<uint8_t>(a.part(512, 512), b.part(2048, 512));
    }
    stream.fill(b.part(0, 1024), uint8_t{3});
  });
  const auto is_command = [](const QueueStep& step) { return step.kind == QueueStep::command; };
  CHECK_EQ(std::ranges::count_if(steps, is_command), 9);
  check_barriers(steps);
}

DEVICE_TEST("commands that conflict in an independent scope are a hazard") {
  Stream stream = device.stream();
  const Buffer<uint32_t> words = device.buffer<uint32_t>(64);
  const std::vector<QueueStep> steps = steps_of(stream, [&] {
    const auto scope = stream.independent();  // wrong: both write words 16 to 31
    stream.fill(words.part(0, 32), 1u);
    stream.fill(words.part(16, 32), 2u);
  });
  const std::vector<std::string> hazards = find_hazards(steps);
  REQUIRE_EQ(hazards.size(), 1);
  CHECK(hazards[0].find("'fill'") != std::string::npos);
  CHECK(hazards[0].find("wrote") != std::string::npos);
}
