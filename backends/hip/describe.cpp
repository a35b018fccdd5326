#include "backends/hip/describe.h"

#include <algorithm>
#include <cstring>

#include "backends/hip/architectures.h"

namespace weft::hip {

namespace {

// The attributes queried here have the same numbers in versions 5 to 7.
int attribute(const DriverFunctions& hip, int ordinal, hipDeviceAttribute_t which) {
  int value = 0;
  check(hip, hip.hipDeviceGetAttribute(&value, which, ordinal), "querying a HIP device's attributes");
  return value;
}

// 0 where the runtime does not answer.
uint32_t multiprocessor_memory_bytes(const DriverFunctions& hip, int ordinal) {
  int value = 0;
  const hipError_t result =
      hip.hipDeviceGetAttribute(&value, hipDeviceAttributeMaxSharedMemoryPerMultiprocessor, ordinal);
  return result == hipSuccess ? uint32_t(value) : 0;
}

DeviceLimits limits_of(const DriverFunctions& hip, int ordinal) {
  const auto ask = [&](hipDeviceAttribute_t which) { return uint32_t(attribute(hip, ordinal, which)); };
  DeviceLimits limits;
  size_t bytes = 0;
  check(hip, hip.hipDeviceTotalMem(&bytes, ordinal), "querying a HIP device's memory");
  limits.memory_bytes = bytes;
  limits.subgroup_size = limits.min_subgroup_size = limits.max_subgroup_size = ask(hipDeviceAttributeWarpSize);
  limits.max_workgroup_invocations = ask(hipDeviceAttributeMaxThreadsPerBlock);
  limits.max_workgroup_size = {ask(hipDeviceAttributeMaxBlockDimX), ask(hipDeviceAttributeMaxBlockDimY),
                               ask(hipDeviceAttributeMaxBlockDimZ)};
  limits.max_workgroup_count = {ask(hipDeviceAttributeMaxGridDimX), ask(hipDeviceAttributeMaxGridDimY),
                                ask(hipDeviceAttributeMaxGridDimZ)};
  // The runtime has 32-bit invocation counts per dimension of a launch.
  for (size_t d = 0; d < 3; ++d) {
    const uint32_t most = 0xffffffffu / std::max(limits.max_workgroup_size[d], 1u);
    limits.max_workgroup_count[d] = std::min(limits.max_workgroup_count[d], most);
  }
  limits.workgroup_memory_bytes = ask(hipDeviceAttributeMaxSharedMemoryPerBlock);
  limits.multiprocessor_memory_bytes = multiprocessor_memory_bytes(hip, ordinal);
  limits.timestamp_period_ns = 1000;  // the resolution that HIP states for its events
  return limits;
}

}  // namespace

DeviceInfo describe(const DriverFunctions& hip, int ordinal) {
  DeviceInfo info;
  char name[256] = {};
  check(hip, hip.hipDeviceGetName(name, int(sizeof(name)) - 1, ordinal), "querying a HIP device's name");
  info.selector = "hip:" + std::to_string(ordinal);
  info.name = name[0] ? name : "AMD GPU";
  info.driver = "AMD's runtime for HIP " + version_text(hip.version);
  info.architecture = architecture(hip, ordinal);
  info.api = "HIP " + version_text(hip.version) + ", " + info.architecture;
  info.kind = attribute(hip, ordinal, hipDeviceAttributeIntegrated) != 0 ? DeviceKind::integrated_gpu
                                                                         : DeviceKind::discrete_gpu;
  info.limits = limits_of(hip, ordinal);
  describe_any(info);
  return info;
}

// Of hipDeviceProp_t, only the architecture's name is read, for which there is no attribute. Version 6 extended the
// structure, which moved the name, and renamed the function.
std::string architecture(const DriverFunctions& hip, int ordinal) {
  constexpr size_t old_offset = 396, new_offset = 1160, length = 256;
  alignas(8) char properties[4096] = {};
  if (hip.major() >= 6 && hip.new_properties) {
    check(hip, hip.new_properties(properties, ordinal), "querying a HIP device's architecture");
    return std::string(properties + new_offset, strnlen(properties + new_offset, length));
  }
  check(hip, hip.old_properties(properties, ordinal), "querying a HIP device's architecture");
  return std::string(properties + old_offset, strnlen(properties + old_offset, length));
}

uint32_t multiprocessors(const DriverFunctions& hip, int ordinal) {
  return uint32_t(attribute(hip, ordinal, hipDeviceAttributeMultiprocessorCount));
}

}  // namespace weft::hip
