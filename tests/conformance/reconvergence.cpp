#include "tests/conformance/step.h"
#include "tests/conformance/subgroup_layout.h"

using namespace weft;
using namespace weft::test;

/// Subgroup operations in divergent flow: with maximal reconvergence, the source determines the lanes they act on.

namespace {

void need_reconvergence(const Device& device) {
  if (!device.info().features.maximal_reconvergence) {
    unsupported("no maximal reconvergence: the driver chooses which lanes act together in divergent flow");
  }
}

/// Runs `body`, which sets `uint result` from `uint lane` and `uint limit` = gl_SubgroupSize, on one full subgroup.
std::vector<uint32_t> run(const Device& device, const std::string& body) {
  const uint32_t size = device.info().limits.subgroup_size;
  const Kernel kernel = device.kernel_from_glsl(R"(#version 460
    #extension GL_KHR_shader_subgroup_ballot : require
    #extension GL_KHR_shader_subgroup_arithmetic : require
    layout(local_size_x_id = 0) in;
    layout(set = 0, binding = 0, std430) buffer target_block { uint v[]; } target;
    uint active_lanes() { return subgroupBallotBitCount(subgroupBallot(true)); }
    void main() {
      uint lane = gl_SubgroupInvocationID;
      uint result = 0;
      )" + body + R"(
      target.v[lane] = result;
    })",
                                                KernelOptions().specialize(0, size));
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("reconvergence");
  const Guarded<uint32_t> target(device, stream, size, generator);
  stream.dispatch(kernel, {}, Arguments().bind(0, 0, target.view()));
  return target.read(stream);
}

std::vector<uint32_t> each_lane(const Device& device, uint32_t (*value)(uint32_t lane, uint32_t size)) {
  std::vector<uint32_t> expected;
  const uint32_t size = device.info().limits.subgroup_size;
  for (uint32_t lane = 0; lane < size; ++lane) expected.push_back(value(lane, size));
  return expected;
}

}  // namespace

DEVICE_TEST("lanes of one branch act together, and all lanes after it") {
  need_reconvergence(device);
  check_same(run(device, "if (lane % 4 == 1) { result = active_lanes(); } result += 1000 * active_lanes();"),
             each_lane(device, [](uint32_t lane, uint32_t size) {
               return (lane % 4 == 1 ? (size + 2) / 4 : 0) + 1000 * size;
             }));
}

DEVICE_TEST("lanes that leave a loop early wait after it") {
  need_reconvergence(device);
  check_same(run(device, R"(
      for (uint i = 0; i < gl_SubgroupSize; ++i) {
        if (i == lane) break;
        result += active_lanes();
      }
      result += 100000 * active_lanes();)"),
             each_lane(device, [](uint32_t lane, uint32_t size) {
               uint32_t result = 100000 * size;
               for (uint32_t i = 0; i < lane; ++i) result += size - 1 - i;
               return result;
             }));
}

DEVICE_TEST("lanes that continue meet the others at the end of the loop") {
  need_reconvergence(device);
  check_same(
      run(device, R"(
      for (uint i = 0; i < 3; ++i) {
        if (lane % 2 == 0) continue;
        result += active_lanes();
      }
      result += 1000 * active_lanes();)"),
      each_lane(device, [](uint32_t lane, uint32_t size) { return (lane % 2 == 0 ? 0 : 3 * size / 2) + 1000 * size; }));
}

DEVICE_TEST("nested branches diverge and reconverge level by level") {
  need_reconvergence(device);
  check_same(run(device, R"(
      if (lane % 2 == 0) {
        if (lane % 4 == 0) { result = active_lanes(); } else { result = 10 * active_lanes(); }
        result += 1000 * active_lanes();
      } else {
        result = 3 * active_lanes();
      }
      result += 100000 * active_lanes();)"),
             each_lane(device, [](uint32_t lane, uint32_t size) {
               if (lane % 2 != 0) return 3 * (size / 2) + 100000 * size;
               return (lane % 4 == 0 ? (size + 3) / 4 : 10 * (size / 4)) + 1000 * ((size + 1) / 2) + 100000 * size;
             }));
}

DEVICE_TEST("all lanes act together after a loop that they left one by one") {
  // The shape of a look-back: lanes poll different numbers of times, then all of them vote, in uniform control flow
  // again. Weft's own kernels rely on it on every device.
  check_same(run(device, R"(
      uint polls = 0;
      while (true) {
        polls += 1;
        if (polls > lane * 3) break;
      }
      result = active_lanes() * 100 + subgroupAdd(polls) % 100;)"),
             each_lane(device, [](uint32_t, uint32_t size) {
               uint32_t polls = 0;
               for (uint32_t lane = 0; lane < size; ++lane) polls += lane * 3 + 1;
               return size * 100 + polls % 100;
             }));
}
