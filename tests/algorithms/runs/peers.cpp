#include <map>

#include <weft/glsl.h>

#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// weft/subgroup/peers.glsl: equal keys anywhere in a subgroup, added up.

namespace {

constexpr const char* peers_source = R"(#version 460
  layout(local_size_x_id = 0) in;
  #extension GL_EXT_buffer_reference : require
  #extension GL_EXT_scalar_block_layout : require
  #define T uint
  #define WEFT_OP(name) sum_##name
  #define WEFT_COMBINE a + b
  #define WEFT_IDENTITY 0u
  #include "weft/thread/operator.glsl"
  #include "weft/subgroup/peers.glsl"

  layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint at[]; };
  layout(push_constant) uniform Arguments { Words keys, values, totals, spoken; uint count, misses; } args;

  void main() {
    uint i = gl_WorkGroupID.x * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    bool inside = i < args.count;
    uint key = inside ? args.keys.at[i] : 0u, x = inside ? args.values.at[i] : 5u;
    bool first = sum_subgroup_reduce_peers(key, inside && x % 8u != 0u, args.misses, x);
    if (!inside) return;
    args.totals.at[i] = x;
    args.spoken.at[i] = uint(first) | (gl_SubgroupInvocationID == 0u ? 2u : 0u);
  })";

struct PeersBlock {
  uint64_t keys, values, totals, spoken;
  uint32_t count, misses;
};

/// One subgroup's elements, [first, end). Every key has one total, where `all` are merged; else each value is in one.
void check_subgroup(const std::vector<uint32_t>& keys, const std::vector<uint32_t>& values,
                    const std::vector<uint32_t>& totals, const std::vector<uint32_t>& spoken, size_t first, size_t end,
                    bool all) {
  std::map<uint32_t, uint32_t> wanted, got, first_lane;
  std::map<uint32_t, size_t> speakers;
  for (size_t i = first; i < end; ++i) {
    if (values[i] % 8 != 0) {
      wanted[keys[i]] += values[i];
      first_lane.emplace(keys[i], uint32_t(i));
    }
    if ((spoken[i] & 1) == 0) continue;
    got[keys[i]] += totals[i];
    if (speakers[keys[i]]++ == 0) CHECK_EQ(first_lane[keys[i]], i);
  }
  CHECK(got == wanted);
  if (!all) return;
  for (const auto& [key, count] : speakers) CHECK_EQ(count, 1);
}

}  // namespace

DEVICE_TEST("equal keys anywhere in a subgroup are added up") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("peers");
  for (const uint32_t workgroup : {64u, 100u}) {
    const Kernel kernel = device.kernel_from_glsl(peers_source, KernelOptions().specialize(0, workgroup));
    for (const uint32_t distinct : {1u, 3u, 16u, 1u << 31}) {
      for (const uint32_t misses : {0u, 1u, 128u}) {
        INFO("workgroups of ", workgroup, ", distinct keys: ", distinct, ", misses: ", misses);
        const uint32_t count = 1003;
        std::vector<uint32_t> keys(count), values = random_values<uint32_t>(count, generator);
        for (uint32_t& key : keys) key = uint32_t(generator() % distinct) * 2654435761u;
        const Guarded<uint32_t> key_words(device, stream, keys, generator),
            value_words(device, stream, values, generator), totals(device, stream, count, generator),
            spoken(device, stream, count, generator);
        stream.dispatch(kernel, {(count + workgroup - 1) / workgroup},
                        PeersBlock{Region(key_words).address(), Region(value_words).address(), Region(totals).address(),
                                   Region(spoken).address(), count, misses});
        const std::vector<uint32_t> total_data = totals.read(stream), spoken_data = spoken.read(stream);
        size_t first = 0;
        for (size_t i = 1; i <= count; ++i) {
          if (i < count && (spoken_data[i] & 2) == 0) continue;
          check_subgroup(keys, values, total_data, spoken_data, first, i, misses == 128);
          first = i;
        }
      }
    }
  }
}
