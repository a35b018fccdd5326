#include <weft/compact.h>
#include <weft/histogram.h>
#include <weft/merge_sort.h>
#include <weft/reduce.h>
#include <weft/scan.h>
#include <weft/sort.h>
#include <weft/weft.h>

#include <algorithm>
#include <optional>

#include "test.h"
#include "vulkan_host/hooks.h"
#include "vulkan_host/host.h"

using namespace weft;
using namespace weft::test;

/// Barriers between the commands that plans record. The validation layer sees no access through a device address, and
/// CPU drivers run one command after the other, so these tests inspect the commands. Plans use no independent scopes,
/// so each command needs a barrier from the accesses of the previous command to its own.

namespace {

// synchronization2 has flags of its own for storage accesses. Either form is right.
constexpr uint64_t storage_reads = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
constexpr uint64_t storage_writes = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;

bool writes_are_named(const RecordedCommand& barrier, RecordedCommand::Kind kind) {
  if (kind == RecordedCommand::copy) {
    return (barrier.source_stages & VK_PIPELINE_STAGE_TRANSFER_BIT) &&
           (barrier.source_accesses & VK_ACCESS_TRANSFER_WRITE_BIT);
  }
  return (barrier.source_stages & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) && (barrier.source_accesses & storage_writes);
}

bool accesses_are_named(const RecordedCommand& barrier, RecordedCommand::Kind kind) {
  if (kind == RecordedCommand::copy) {
    return (barrier.destination_stages & VK_PIPELINE_STAGE_TRANSFER_BIT) &&
           (barrier.destination_accesses & VK_ACCESS_TRANSFER_READ_BIT) &&
           (barrier.destination_accesses & VK_ACCESS_TRANSFER_WRITE_BIT);
  }
  const bool counts = (barrier.destination_stages & VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT) &&
                      (barrier.destination_accesses & VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
  return (barrier.destination_stages & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) &&
         (barrier.destination_accesses & storage_reads) && (barrier.destination_accesses & storage_writes) &&
         (kind != RecordedCommand::dispatch_indirect || counts);
}

/// Index of the first command that is not ordered after the previous one; nullopt if all are. The first command must be
/// ordered after any command of Weft's.
std::optional<size_t> first_unordered(const std::vector<RecordedCommand>& commands) {
  using Kind = RecordedCommand::Kind;
  std::vector<Kind> before{Kind::dispatch, Kind::copy};
  std::vector<RecordedCommand> barriers;
  for (size_t i = 0; i < commands.size(); ++i) {
    if (commands[i].kind == Kind::barrier) {
      barriers.push_back(commands[i]);
      continue;
    }
    for (const Kind kind : before) {
      const bool ordered = std::ranges::any_of(barriers, [&](const RecordedCommand& barrier) {
        return writes_are_named(barrier, kind) && accesses_are_named(barrier, commands[i].kind);
      });
      if (!ordered) return i;
    }
    before = {commands[i].kind};
    barriers.clear();
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("the check of barriers finds one that is left out, and one that names too little") {
  using C = RecordedCommand;
  const C full{C::barrier, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
               VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, vulkan::first_access().stages,
               vulkan::first_access().accesses};
  const C work{C::dispatch}, indirect{C::dispatch_indirect}, copy{C::copy};
  CHECK_FALSE(first_unordered({full, work, full, indirect, full, copy, full, work}));
  CHECK_EQ(first_unordered({work}), 0);
  CHECK_EQ(first_unordered({full, work, work}), 2);
  CHECK_EQ(first_unordered({full, work, full, copy, work}), 4);
  C lesser = full;
  lesser.source_accesses = VK_ACCESS_TRANSFER_WRITE_BIT;
  CHECK_EQ(first_unordered({full, work, lesser, work}), 3);
  lesser = full;
  lesser.destination_stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  CHECK_EQ(first_unordered({full, work, lesser, indirect}), 3);
  CHECK_FALSE(first_unordered({full, work, lesser, work}));
}

TEST_CASE("a barrier orders each command of a plan after the previous one, with the accesses of both") {
  for (const bool minimum : {false, true}) {
    Host host({.minimum = minimum});
    const Device device = vulkan::wrap_device(host.description());
    constexpr uint64_t count = 20'000;
    const HostMemoryBlock block = host.make_buffer(1 << 20);
    const auto at = [&](uint64_t i) {
      return vulkan::wrap_buffer<uint32_t>(device, block.part(i << 17, 4 * count), count);
    };
    const Buffer<uint32_t> a = at(0), b = at(1), c = at(2), d = at(3);
    const auto n = vulkan::wrap_buffer<uint64_t>(device, block.part(7 << 17, 8), 1);
    const Element u32 = Element::of<uint32_t>();
    vulkan::RecordingArena arena(device);
    const VkCommandBuffer commands = host.make_commands();
    host.begin(commands);
    const auto check = [&](const char* name, size_t least, const auto& record) {
      recorded_commands().clear();
      {
        vulkan::Recording recording = arena.record(commands, 0);
        record(recording);
      }
      INFO(std::string(name), minimum ? std::string(", minimum") : std::string());
      const auto& log = recorded_commands();
      CHECK_GE(std::ranges::count_if(log, [](const auto& l) { return l.kind != RecordedCommand::barrier; }), least);
      const auto wrong = first_unordered(log);
      CHECK_MESSAGE(!wrong.has_value(), "command " << wrong.value_or(0) << " of " << log.size());
    };
    const auto scratch = [](vulkan::Recording& r, const auto& plan) { return r.scratch(plan.temporary_bytes()); };
    const Count on_device = View<const uint64_t>(n.view());

    const Scan scan(device, u32, Operator::sum(), count);
    check("scan", 2,
          [&](auto& r) { scan.record(r, {.input = a, .output = b, .count = count, .temporary = scratch(r, scan)}); });
    const Reduce reduce(device, u32, Operator::sum(), count);
    check("reduce", 1, [&](auto& r) {
      reduce.record(r, {.input = a, .output = b.part(0, 1), .count = count, .temporary = scratch(r, reduce)});
    });
    const Compact compact(device, u32, Selection::when("x > 7u"), count);
    check("compact", 2, [&](auto& r) {
      compact.record(r, {.input = a, .output = b, .selected = n, .count = count, .temporary = scratch(r, compact)});
    });
    const Sort sort(device, u32, u32, count);
    check("sort", 5, [&](auto& r) {
      sort.record(
          r,
          {.keys = a, .values = c, .keys_out = b, .values_out = d, .count = on_device, .temporary = scratch(r, sort)});
    });
    const MergeSort merge_sort(device, u32, Comparison::ascending(), count);
    check("merge sort", 2, [&](auto& r) {
      merge_sort.record(r, {.input = a, .output = b, .count = count, .temporary = scratch(r, merge_sort)});
    });
    const Histogram histogram(device, u32, Bins::even(16, 0, 4294967296.0), count);
    check("histogram", 2,
          [&](auto& r) { histogram.record(r, {.input = a, .output = b.part(0, 16), .count = on_device}); });
    check("copies, fills and counts on the device", 3, [&](auto& r) {
      r.fill(a, 1u);
      r.template copy<uint32_t>(a.part(0, 5), b.part(3, 5));
      r.copy_region(Region(a).part(0, 3), Region(c).part(0, 3));
      r.fill(b, 2u);
    });
    host.end(commands);
    host.run(commands);
    CHECK_EQ(host.messages(), 0);
  }
}
