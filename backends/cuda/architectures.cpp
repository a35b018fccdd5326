#include "backends/cuda/architectures.h"

#include <algorithm>
#include <charconv>

#include "backends/cuda_hip/describe.h"

namespace weft::cuda {

namespace {

constexpr uint32_t kibibyte = 1024;
constexpr const char *cubin_prefix = "sm_", *ptx_prefix = "compute_";

/// From CUDA's programming guide, "Compute Capabilities": the largest shared memory of a block is that of its
/// multiprocessor less 1 KiB, but for 7.5.
struct Architecture {
  uint32_t capability, multiprocessor_memory_bytes, block_memory_bytes;
};
constexpr Architecture architectures[] = {
    {75, 64 * kibibyte, 64 * kibibyte},    {80, 164 * kibibyte, 163 * kibibyte},  {86, 100 * kibibyte, 99 * kibibyte},
    {87, 164 * kibibyte, 163 * kibibyte},  {89, 100 * kibibyte, 99 * kibibyte},   {90, 228 * kibibyte, 227 * kibibyte},
    {100, 228 * kibibyte, 227 * kibibyte}, {103, 228 * kibibyte, 227 * kibibyte}, {110, 228 * kibibyte, 227 * kibibyte},
    {120, 100 * kibibyte, 99 * kibibyte},  {121, 100 * kibibyte, 99 * kibibyte}};

DeviceLimits limits_of(const Architecture& architecture) {
  DeviceLimits limits;
  limits.memory_bytes = uint64_t{1} << 40;
  limits.subgroup_size = limits.min_subgroup_size = limits.max_subgroup_size = 32;
  limits.max_workgroup_invocations = 1024;
  limits.max_workgroup_size = {1024, 1024, 64};
  limits.max_workgroup_count = {0x7fffffff, 65535, 65535};
  limits.workgroup_memory_bytes = architecture.block_memory_bytes;
  limits.multiprocessor_memory_bytes = architecture.multiprocessor_memory_bytes;
  return limits;
}

}  // namespace

uint32_t capability_of(const std::string& architecture) {
  uint32_t capability = 0;
  for (const std::string prefix : {cubin_prefix, ptx_prefix}) {
    if (!architecture.starts_with(prefix)) continue;
    const char* const end = architecture.data() + architecture.size();
    const auto [at, error] = std::from_chars(architecture.data() + prefix.size(), end, capability);
    return at == end && error == std::errc() ? capability : 0;
  }
  return 0;
}

bool is_ptx(const std::string& architecture) { return architecture.starts_with(ptx_prefix); }

void describe_any(DeviceInfo& info) {
  info.backend = "cuda";
  info.vendor = DeviceVendor::nvidia;
  cuda_hip::describe_translated(info);
  info.features.bounded_registers = true;
}

std::optional<DeviceInfo> described(const std::string& name) {
  const uint32_t capability = capability_of(name);
  const auto* const found = std::ranges::find(architectures, capability, &Architecture::capability);
  if (found == std::end(architectures)) return std::nullopt;
  Architecture least = *found;
  for (const Architecture& later : std::span(found, is_ptx(name) ? std::end(architectures) : found + 1)) {
    least.block_memory_bytes = std::min(least.block_memory_bytes, later.block_memory_bytes);
    least.multiprocessor_memory_bytes = std::min(least.multiprocessor_memory_bytes, later.multiprocessor_memory_bytes);
  }
  DeviceInfo info;
  info.selector = "cuda:0";
  info.architecture = name;
  info.kind = DeviceKind::discrete_gpu;
  info.limits = limits_of(least);
  describe_any(info);
  return info;
}

}  // namespace weft::cuda
