#include <weft/glsl.h>

#include "tests/support/needs.h"

using namespace weft;
using namespace weft::test;

/// Persistent kernels: their workgroups take work from a queue, and there are as many as the device runs at once.

namespace {

std::string resident_text(const Kernel& kernel) {
  return "resident_workgroups() is " + std::to_string(kernel.resident_workgroups());
}

constexpr const char* drain_source = R"(#version 460
  layout(local_size_x_id = 0) in;
  layout(constant_id = 0) const uint lanes = 64;
  layout(set = 0, binding = 0, std430) readonly buffer in_block { uint v[]; } source;
  layout(set = 0, binding = 1, std430) buffer out_block { uint v[]; } sink;
  layout(set = 0, binding = 2, std430) buffer queue_block { uint next, groups; } queue;
  layout(push_constant) uniform Push { uint count; } push;
  shared uint tile;
  void main() {
    if (gl_LocalInvocationIndex == 0) atomicAdd(queue.groups, 1u);
    for (;;) {
      barrier();
      if (gl_LocalInvocationIndex == 0) tile = atomicAdd(queue.next, 1u);
      barrier();
      uint i = tile * lanes + gl_LocalInvocationIndex;
      if (tile * lanes >= push.count) return;
      if (i < push.count) atomicAdd(sink.v[i], source.v[i] * 3u + 1u);  // exposes work done twice
    }
  })";

/// Every workgroup waits until all have arrived, which ends only if all run at once.
constexpr const char* meet_source = R"(#version 460
  #pragma use_vulkan_memory_model
  #extension GL_KHR_memory_scope_semantics : require
  layout(local_size_x = 64) in;
  layout(set = 0, binding = 0, std430) buffer block { uint come; uint left; } meeting;
  void main() {
    if (gl_LocalInvocationIndex != 0) return;
    atomicAdd(meeting.come, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
    while (atomicLoad(meeting.come, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire) < gl_NumWorkGroups.x) {
    }
    atomicAdd(meeting.left, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
  })";

}  // namespace

DEVICE_TEST("resident workgroups drain a queue of work, each item once") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("persistent");
  for (const uint32_t lanes : {1u, 64u, 128u}) {
    const Kernel kernel = device.kernel_from_glsl(drain_source, KernelOptions().specialize(0, lanes));
    INFO(resident_text(kernel));
    const uint32_t resident = kernel.resident_workgroups(), groups = resident != 0 ? resident : 6;
    CHECK_LE(resident, 1u << 20);
    for (const uint32_t count : {0u, 1u, lanes, lanes + 1, 9973u}) {
      const std::vector<uint32_t> data = random_values<uint32_t>(count, generator);
      std::vector<uint32_t> expected = data;
      for (uint32_t& value : expected) value = value * 3 + 1;
      const Buffer<uint32_t> source = device.buffer<uint32_t>(count + 1), queue = device.buffer<uint32_t>(2);
      const Guarded<uint32_t> sink(device, stream, count + 1, generator);
      stream.upload(source.part(0, count), std::span<const uint32_t>(data));
      stream.fill(sink.view(), 0u);
      stream.fill(queue, 0u);
      stream.dispatch(kernel, {groups, 1, 1},
                      Arguments(count).bind(0, 0, source).bind(0, 1, sink.view()).bind(0, 2, queue));
      expected.push_back(0);
      check_same(sink.read(stream), expected, std::to_string(count) + " items by groups of " + std::to_string(lanes));
      // Each workgroup takes one ticket more than its work needs.
      check_same(stream.download(queue), {(count + lanes - 1) / lanes + groups, groups}, "the queue");
    }
  }
}

DEVICE_TEST("as many workgroups as the device reports do run at once") {
  need_waiting(device);
  const Kernel kernel = device.kernel_from_glsl(meet_source);
  const uint32_t resident = kernel.resident_workgroups();
  if (resident == 0) unsupported("the backend does not report the number of resident workgroups");
  Stream stream = device.stream();
  const Buffer<uint32_t> meeting = device.buffer<uint32_t>(2);
  for (int round = 0; round < 5; ++round) {
    stream.fill(meeting, 0u);
    stream.dispatch(kernel, {resident, 1, 1}, Arguments().bind(0, 0, meeting));
    check_same(stream.download(meeting), {resident, resident}, "workgroups that came and left");
  }
}

TEST_CASE("an empty kernel has no number of resident workgroups") {
  check_error(ErrorCode::invalid_argument, {"empty"}, [] { Kernel().resident_workgroups(); });
}
