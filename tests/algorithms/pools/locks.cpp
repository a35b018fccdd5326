#include <algorithm>
#include <numeric>

#include <weft/glsl.h>
#include <weft/progress.h>

#include "tests/support/needs.h"
#include "tests/support/recording_device.h"

using namespace weft;
using namespace weft::test;

/// weft/device/lock.glsl: records of three words, each updated under its lock, are exact and never seen half written.

namespace {

constexpr const char* locks_source = R"(#version 460
  #extension GL_KHR_shader_subgroup_ballot : require
  layout(local_size_x_id = 0) in;
  #include "weft/device/lock.glsl"

  struct Record { uint updates, tripled, inverted; };
  layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Records { nonprivate Record at[]; };
  layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint at[]; };
  layout(push_constant) uniform Arguments {
    WeftLocks locks;
    Records records;
    Words indices, torn;
    uint count, rounds;
  } args;

  void update(uint index) {
    Record x = args.records.at[index];
    if (x.tripled != 3u * x.updates || x.inverted != ~x.updates) atomicAdd(args.torn.at[0], 1u);
    uint updates = x.updates + 1u;
    args.records.at[index] = Record(updates, 3u * updates, ~updates);
  }

  void main() {
    uint i = gl_WorkGroupID.x * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    bool inside = i < args.count;
    uint index = inside ? args.indices.at[i] : 0u;
    for (uint round = 0u; round < args.rounds; ++round) {
  #if defined(BY_SUBGROUP)
      // One lane works for all: each subgroup makes one update for each of its lanes.
      uint first = subgroupBroadcastFirst(index), lanes = subgroupBallotBitCount(subgroupBallot(inside));
      WEFT_WITH_LOCK(args.locks, first, subgroupElect()) {
        for (uint k = 0u; k < lanes; ++k) update(first);
      }
  #elif defined(BY_TRYING)
      // Two locks at once, taken by trying: nobody waits while it holds one.
      uint other = index + 1u;
      for (bool done = !inside; subgroupAny(!done);) {
        if (!done && weft_try_lock(args.locks, index)) {
          if (weft_try_lock(args.locks, other)) {
            update(index);
            update(other);
            weft_unlock(args.locks, other);
            done = true;
          }
          weft_unlock(args.locks, index);
        }
      }
  #else
      uint at = index;
      WEFT_WITH_LOCK(args.locks, at, inside) {
        update(at);
        at += 1000u;  // The lock that is given back stays the one that was taken.
      }
  #endif
    }
  })";

struct LocksBlock {
  uint64_t locks, records, indices, torn;
  uint32_t count, rounds;
};

enum class Form { each_lane, by_subgroup, by_trying };

Kernel make_kernel(const Device& device, Form form, uint32_t workgroup) {
  GlslOptions options = GlslOptions::from_environment();
  if (form == Form::by_subgroup) options.defines = {{"BY_SUBGROUP", "1"}};
  if (form == Form::by_trying) options.defines = {{"BY_TRYING", "1"}};
  return device.kernel(compile_glsl(locks_source, options), KernelOptions().specialize(0, workgroup));
}

/// Updates of each record. The last word is a record that only by_trying uses.
std::vector<uint32_t> expected_updates(Form form, const std::vector<uint32_t>& indices, uint32_t locks,
                                       uint32_t rounds) {
  std::vector<uint32_t> updates(locks + 1);
  for (const uint32_t index : indices) {
    updates[index] += rounds;
    if (form == Form::by_trying) updates[index + 1] += rounds;
  }
  return updates;
}

/// `count` invocations update records `rounds` times each.
void check_updates(Stream& stream, Form form, const Kernel& kernel, uint32_t locks, uint32_t count, uint32_t rounds,
                   std::mt19937_64& generator) {
  INFO("workgroups of ", kernel.workgroup_size()[0], ", invocations: ", count, ", locks: ", locks);
  const Device device = stream.device();
  std::vector<uint32_t> index_data(count);
  for (uint32_t& index : index_data) index = uint32_t(generator() % locks);
  std::vector<uint32_t> empty_records;
  for (uint32_t i = 0; i <= locks; ++i) empty_records.insert(empty_records.end(), {0u, 0u, ~0u});
  const Guarded<uint32_t> taken(device, stream, std::vector<uint32_t>(locks + 1, 0), generator);
  const Guarded<uint32_t> records(device, stream, empty_records, generator),
      indices(device, stream, index_data, generator);
  const Guarded<uint32_t> torn(device, stream, std::vector<uint32_t>{0}, generator);
  const uint32_t workgroup = kernel.workgroup_size()[0];
  stream.dispatch(kernel, {(count + workgroup - 1) / workgroup, 1, 1},
                  LocksBlock{Region(taken).address(), Region(records).address(), Region(indices).address(),
                             Region(torn).address(), count, rounds});
  std::vector<uint32_t> expected, found = records.read(stream);
  if (form != Form::by_subgroup) {
    for (const uint32_t updates : expected_updates(form, index_data, locks, rounds)) {
      expected.insert(expected.end(), {updates, 3 * updates, ~updates});
    }
    check_same(found, expected, "the records");
  } else {
    // Which record a subgroup updates depends on its size.
    uint64_t sum = 0;
    for (size_t i = 0; i < found.size(); i += 3) sum += found[i];
    CHECK_EQ(sum, uint64_t{count} * rounds);
  }
  check_same(torn.read(stream), {0}, "updates that saw a record half written");
  check_same(taken.read(stream), std::vector<uint32_t>(locks + 1, 0), "locks that are still taken");
}

void check_form(const Device& device, Form form) {
  need_waiting(device);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("locks");
  // GPUs run so many lanes that one lock, wanted by all of them, is slow; and two at once are seldom both free.
  const uint32_t most_at_a_lock = form == Form::by_trying ? 16 : 1024;
  const auto most = [&](uint32_t locks) {
    return computes_on_cpu(device) ? 1u << 14 : std::min(1u << 18, locks * most_at_a_lock);
  };
  for (const uint32_t workgroup : {1u, 5u, 64u, 100u}) {
    const Kernel kernel = make_kernel(device, form, workgroup);
    for (const uint32_t locks : {1u, 7u, 1024u}) {
      check_updates(stream, form, kernel, locks, workgroup == 64 ? most(locks) : 333, workgroup == 64 ? 4 : 1,
                    generator);
    }
  }
}

}  // namespace

DEVICE_TEST("every lane updates records under their locks") { check_form(device, Form::each_lane); }
DEVICE_TEST("one lane updates a record for its subgroup") { check_form(device, Form::by_subgroup); }
DEVICE_TEST("lanes hold two locks that they got by trying") { check_form(device, Form::by_trying); }

TEST_CASE("a device without forward progress is refused by name") {
  DeviceInfo info = gpu(32, 48 << 10);
  std::vector<RequestedKernel> requested;
  require_forward_progress(recording_device(info, requested), "a table");
  info.features.workgroup_forward_progress = false;
  info.name = "a GPU that stops";
  check_error(ErrorCode::unsupported, {"a table", "a GPU that stops", "docs/devices.md"},
              [&] { require_forward_progress(recording_device(info, requested), "a table"); });
}
