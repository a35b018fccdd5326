#include <bit>
#include <functional>

#include "tests/conformance/step.h"
#include "tests/conformance/subgroup_layout.h"

using namespace weft;
using namespace weft::test;

namespace {

using Words = std::vector<uint32_t>;
/// Returns the operation's result in the lane `at` of a subgroup whose lanes hold `lanes`; the last subgroup may have
/// fewer than `size` lanes.
using Reference = std::function<uint32_t(const Words& lanes, size_t at, uint32_t size)>;

/// Runs `expression` of x, the invocation's word, on workgroups of many sizes (full subgroups, a partial one, several),
/// and compares each lane with the reference.
void check_operation(const Device& device, SubgroupOperation operation, const std::string& expression,
                     const Reference& reference) {
  if (!device.info().subgroup_operations.contains(operation)) {
    unsupported(std::string("no subgroup operations of the group ") + to_string(operation));
  }
  const std::string source = R"(#version 460
    #extension GL_KHR_shader_subgroup_)" +
                             std::string(to_string(operation)) + R"( : require
    #extension GL_KHR_shader_subgroup_basic : require
    layout(local_size_x_id = 0) in;
    layout(set = 0, binding = 0, std430) buffer source_block { uint v[]; } source;
    layout(set = 0, binding = 1, std430) buffer target_block { uint v[]; } target;
    layout(set = 0, binding = 2, std430) buffer lanes_block { uint v[]; } lane_ids;
    void main() {
      uint i = gl_LocalInvocationIndex;
      uint lane = gl_SubgroupInvocationID;
      uint x = source.v[i];
      target.v[i] = uint()" + expression +
                             R"();
      lane_ids.v[i] = gl_SubgroupID << 16 | lane;
    })";
  INFO("expression: ", expression);
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator(expression);
  const uint32_t size = device.info().limits.subgroup_size;
  for (const uint32_t workgroup : {size, size + 1, 2 * size - 1, 64u, 3 * size + 2}) {
    INFO("workgroup of ", workgroup);
    const Words data = random_values<uint32_t>(workgroup, generator);
    const Buffer<uint32_t> inputs = device.buffer<uint32_t>(workgroup), lane_ids = device.buffer<uint32_t>(workgroup);
    const Guarded<uint32_t> results(device, stream, workgroup, generator);
    stream.upload(inputs, data);
    stream.dispatch(device.kernel_from_glsl(source, KernelOptions().specialize(0, workgroup)), {},
                    Arguments().bind(0, 0, inputs).bind(0, 1, results.view()).bind(0, 2, lane_ids));
    SubgroupLayout layout;
    for (const uint32_t id : stream.download(lane_ids)) {
      layout.subgroups.push_back(id >> 16);
      layout.lanes.push_back(id & 0xffff);
    }
    Words expected(workgroup, 0);
    for (uint32_t subgroup = 0; subgroup < layout.count(); ++subgroup) {
      const Words members = layout.members(subgroup);
      Words lanes;
      for (const uint32_t member : members) lanes.push_back(data[member]);
      for (size_t at = 0; at < members.size(); ++at) expected[members[at]] = reference(lanes, at, size);
    }
    check_same(results.read(stream), expected, expression);
  }
}

uint32_t sum(const Words& lanes, size_t begin, size_t end) {
  uint32_t total = 0;
  for (size_t i = begin; i < std::min(end, lanes.size()); ++i) total += lanes[i];
  return total;
}

}  // namespace

DEVICE_TEST("subgroup arithmetic") {
  const auto check = [&](const char* expression, const Reference& reference) {
    check_operation(device, SubgroupOperation::arithmetic, expression, reference);
  };
  check("subgroupAdd(x)", [](const Words& l, size_t, uint32_t) { return sum(l, 0, l.size()); });
  check("subgroupInclusiveAdd(x)", [](const Words& l, size_t at, uint32_t) { return sum(l, 0, at + 1); });
  check("subgroupExclusiveAdd(x)", [](const Words& l, size_t at, uint32_t) { return sum(l, 0, at); });
  check("subgroupMin(x)", [](const Words& l, size_t, uint32_t) { return *std::min_element(l.begin(), l.end()); });
  check("subgroupMax(int(x))", [](const Words& l, size_t, uint32_t) {
    return *std::max_element(l.begin(), l.end(), [](uint32_t a, uint32_t b) { return int32_t(a) < int32_t(b); });
  });
  check("subgroupXor(x)", [](const Words& l, size_t, uint32_t) {
    uint32_t total = 0;
    for (const uint32_t x : l) total ^= x;
    return total;
  });
}

DEVICE_TEST("subgroup votes") {
  const auto check = [&](const char* expression, const Reference& reference) {
    check_operation(device, SubgroupOperation::vote, expression, reference);
  };
  check("subgroupAny(x % 16 == 0)", [](const Words& l, size_t, uint32_t) {
    return uint32_t(std::any_of(l.begin(), l.end(), [](uint32_t x) { return x % 16 == 0; }));
  });
  check("subgroupAll(x % 16 != 0)", [](const Words& l, size_t, uint32_t) {
    return uint32_t(std::all_of(l.begin(), l.end(), [](uint32_t x) { return x % 16 != 0; }));
  });
  check("subgroupElect()", [](const Words&, size_t at, uint32_t) { return uint32_t(at == 0); });
}

DEVICE_TEST("subgroup ballots") {
  const auto check = [&](const char* expression, const Reference& reference) {
    check_operation(device, SubgroupOperation::ballot, expression, reference);
  };
  const auto odd = [](const Words& l, size_t begin, size_t end) {
    uint32_t count = 0;
    for (size_t i = begin; i < std::min(end, l.size()); ++i) count += l[i] & 1;
    return count;
  };
  check("subgroupBallotBitCount(subgroupBallot((x & 1) == 1))",
        [&](const Words& l, size_t, uint32_t) { return odd(l, 0, l.size()); });
  check("subgroupBallotExclusiveBitCount(subgroupBallot((x & 1) == 1))",
        [&](const Words& l, size_t at, uint32_t) { return odd(l, 0, at); });
  check("subgroupBallotInclusiveBitCount(subgroupBallot((x & 1) == 1))",
        [&](const Words& l, size_t at, uint32_t) { return odd(l, 0, at + 1); });
  check("subgroupBallot((x & 1) == 1).x", [](const Words& l, size_t, uint32_t) {
    uint32_t bits = 0;
    for (size_t i = 0; i < std::min<size_t>(l.size(), 32); ++i) bits |= (l[i] & 1) << i;
    return bits;
  });
  check("subgroupInverseBallot(uvec4(0x55555555)) ? 1 : 0",
        [](const Words&, size_t at, uint32_t) { return uint32_t(at % 2 == 0); });
  check("subgroupBroadcastFirst(x)", [](const Words& l, size_t, uint32_t) { return l.front(); });
  check("subgroupBroadcast(x, 0)", [](const Words& l, size_t, uint32_t) { return l.front(); });
  check("subgroupBallotFindLSB(subgroupBallot(true))", [](const Words&, size_t, uint32_t) { return 0u; });
  check("subgroupBallotFindMSB(subgroupBallot(true))",
        [](const Words& l, size_t, uint32_t) { return uint32_t(l.size() - 1); });
  check(
      "bitCount(gl_SubgroupLtMask.x) + bitCount(gl_SubgroupLtMask.y) + bitCount(gl_SubgroupLtMask.z) + "
      "bitCount(gl_SubgroupLtMask.w)",
      [](const Words&, size_t at, uint32_t) { return uint32_t(at); });
}

DEVICE_TEST("subgroup shuffles") {
  // Missing lanes give undefined values, so the source lane is always an existing one.
  check_operation(device, SubgroupOperation::shuffle, "subgroupShuffle(x, lane & ~1u)",
                  [](const Words& l, size_t at, uint32_t) { return l[at & ~size_t(1)]; });
  check_operation(device, SubgroupOperation::shuffle, "subgroupShuffle(x, lane / 2)",
                  [](const Words& l, size_t at, uint32_t) { return l[at / 2]; });
  check_operation(device, SubgroupOperation::shuffle, "subgroupShuffleXor(x, 0)",
                  [](const Words& l, size_t at, uint32_t) { return l[at]; });
}

DEVICE_TEST("relative subgroup shuffles") {
  // Not `lane < 1 ? ... : ...`: all lanes must reach the shuffle.
  check_operation(device, SubgroupOperation::shuffle_relative, "subgroupShuffleUp(x, 1) * uint(lane >= 1)",
                  [](const Words& l, size_t at, uint32_t) { return at < 1 ? 0 : l[at - 1]; });
  check_operation(device, SubgroupOperation::shuffle_relative, "subgroupShuffleDown(x, 0)",
                  [](const Words& l, size_t at, uint32_t) { return l[at]; });
}

DEVICE_TEST("clustered subgroup arithmetic") {
  for (uint32_t cluster = 1; cluster <= 4; cluster *= 2) {
    check_operation(device, SubgroupOperation::clustered, "subgroupClusteredAdd(x, " + std::to_string(cluster) + ")",
                    [cluster](const Words& l, size_t at, uint32_t) {
                      const size_t begin = at / cluster * cluster;
                      return sum(l, begin, begin + cluster);
                    });
  }
}

DEVICE_TEST("subgroup quads") {
  check_operation(device, SubgroupOperation::quad, "subgroupQuadBroadcast(x, 0)",
                  [](const Words& l, size_t at, uint32_t) { return l[at / 4 * 4]; });
}

DEVICE_TEST("subgroup arithmetic of 64-bit integers") {
  const DeviceInfo& info = device.info();
  if (!info.features.int64) unsupported("no 64-bit integers");
  if (!info.features.subgroup_extended_types) unsupported("no subgroup operations on 64-bit integers");
  if (!info.subgroup_operations.contains(SubgroupOperation::arithmetic)) unsupported("no subgroup arithmetic");
  const Kernel kernel = device.kernel_from_glsl(R"(#version 460
    #extension GL_KHR_shader_subgroup_arithmetic : require
    #extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
    #extension GL_EXT_shader_subgroup_extended_types_int64 : require
    layout(local_size_x = 64) in;
    layout(set = 0, binding = 0, std430) buffer values_block { uint64_t v[]; } values;
    void main() {
      uint64_t x = values.v[gl_LocalInvocationIndex];
      values.v[gl_LocalInvocationIndex] = subgroupInclusiveAdd(x);
    })");
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("64-bit subgroup arithmetic");
  const std::vector<uint64_t> data = random_values<uint64_t>(64, generator);
  const Buffer<uint64_t> values = device.buffer<uint64_t>(64);
  stream.upload(values, data);
  stream.dispatch(kernel, {}, Arguments().bind(0, 0, values));
  const SubgroupLayout layout = read_subgroup_layout(device, stream, 64, {});
  std::vector<uint64_t> expected(64);
  for (uint32_t subgroup = 0; subgroup < layout.count(); ++subgroup) {
    uint64_t total = 0;
    for (const uint32_t member : layout.members(subgroup)) expected[member] = total += data[member];
  }
  check_same(stream.download(values), expected);
}
