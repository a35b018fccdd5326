#include "algorithms/src/tiling.h"

#include <weft/error.h>
#include <algorithm>
#include <string>

namespace weft::algorithms {
namespace {

// 256 invocations keep a GPU's schedulers busy with a few workgroups on each core, and every Vulkan driver seen takes
// them. At least 64, because tiles are made of 256-byte blocks, and never less than a subgroup, because they are full.
uint32_t workgroup_size(const DeviceLimits& limits) {
  uint32_t size = 256;
  while (size > 64 && size > limits.max_workgroup_invocations) size /= 2;
  return std::max(size, limits.max_subgroup_size);
}

uint32_t pack_size(uint32_t element_words) {
  const uint32_t filling = element_words % 4 == 0 ? 1 : element_words % 2 == 0 ? 2 : 4;
  // Large structs fill registers soon; they are read word by word instead.
  constexpr uint32_t most_words = 16;
  return filling * element_words <= most_words ? filling : 1;
}

}  // namespace

Tiling make_tiling(const DeviceInfo& device, uint32_t element_words, uint32_t bytes_per_invocation) {
  Tiling tiling;
  tiling.workgroup = workgroup_size(device.limits);
  tiling.element_words = element_words;
  tiling.pack = pack_size(element_words);
  // A CPU has no latency to hide, and its compilers take long over large unrolled loops.
  constexpr uint32_t cpu_bytes = 64;
  const uint32_t bytes =
      device.kind == DeviceKind::cpu ? std::min(bytes_per_invocation, cpu_bytes) : bytes_per_invocation;
  tiling.rows = std::max(1u, bytes / (4 * tiling.pack * element_words));
  return tiling;
}

Tiling make_staged_tiling(const char* primitive, const DeviceInfo& device, uint32_t element_words,
                          uint32_t bytes_per_invocation) {
  Tiling tiling = make_tiling(device, element_words, bytes_per_invocation);
  constexpr uint64_t beside_the_tile = 2048;  // What scans over the workgroup take, generously.
  const uint64_t room = device.limits.workgroup_memory_bytes - beside_the_tile;
  const uint32_t least = std::max(64u, device.limits.max_subgroup_size);
  while (tiling.bytes() > room && tiling.rows > 1) --tiling.rows;
  while (tiling.bytes() > room && tiling.workgroup > least) tiling.workgroup /= 2;
  if (tiling.bytes() > room) {
    throw Error(ErrorCode::unsupported,
                std::string(primitive) + " of elements of " + std::to_string(4 * element_words) +
                    " bytes does not fit into the " + std::to_string(device.limits.workgroup_memory_bytes) +
                    " bytes of shared memory that a workgroup has on " + device.selector + " (" + device.name + ").");
  }
  return tiling;
}

Groups spread(uint64_t groups, const DeviceLimits& limits) {
  const uint64_t rows = (groups + limits.max_workgroup_count[0] - 1) / limits.max_workgroup_count[0];
  if (rows == 0) return {0, 1, 1};
  return {static_cast<uint32_t>((groups + rows - 1) / rows), static_cast<uint32_t>(rows), 1};
}

}  // namespace weft::algorithms
