#include "backends/hip/describe.h"

#include <weft/arguments.h>
#include <algorithm>

#include "backends/hip/errors.h"
#include "backends/translate/capabilities.h"

namespace weft::hip {

namespace {

// The numbers of attributes that are asked for here are the same in every version from 5 to 7.
uint32_t attribute(const Functions& hip, hipDeviceAttribute_t number, int ordinal) {
  int value = 0;
  check(hip, hip.hipDeviceGetAttribute(&value, number, ordinal), "asking for a device's limits");
  return uint32_t(std::max(value, 0));
}

DeviceLimits limits_of(const Functions& hip, int ordinal) {
  const auto get = [&](hipDeviceAttribute_t number) { return attribute(hip, number, ordinal); };
  DeviceLimits limits;
  size_t bytes = 0;
  check(hip, hip.hipDeviceTotalMem(&bytes, ordinal), "asking for a device's memory");
  limits.memory_bytes = limits.max_buffer_bytes = bytes;
  // The device's own: kernels are compiled for it.
  limits.subgroup_size = limits.min_subgroup_size = limits.max_subgroup_size = get(hipDeviceAttributeWarpSize);
  limits.max_workgroup_invocations = get(hipDeviceAttributeMaxThreadsPerBlock);
  limits.max_workgroup_size = {get(hipDeviceAttributeMaxBlockDimX), get(hipDeviceAttributeMaxBlockDimY),
                               get(hipDeviceAttributeMaxBlockDimZ)};
  limits.max_workgroup_count = {get(hipDeviceAttributeMaxGridDimX), get(hipDeviceAttributeMaxGridDimY),
                                get(hipDeviceAttributeMaxGridDimZ)};
  // A launch counts invocations, in 32 bits for each dimension.
  for (size_t d = 0; d < 3; ++d) {
    const uint32_t most = 0xffffffffu / std::max(limits.max_workgroup_size[d], 1u);
    limits.max_workgroup_count[d] = std::min(limits.max_workgroup_count[d], most);
  }
  limits.workgroup_memory_bytes = get(hipDeviceAttributeMaxSharedMemoryPerBlock);
  limits.push_constant_bytes = Arguments::max_push_constant_bytes;
  limits.storage_binding_alignment = limits.uniform_binding_alignment = 16;
  limits.max_storage_binding_bytes = limits.max_uniform_binding_bytes = limits.max_buffer_bytes;
  limits.timestamp_period_ns = 1;
  return limits;
}

}  // namespace

uint32_t multiprocessors(const Functions& hip, int ordinal) {
  return attribute(hip, hipDeviceAttributeMultiprocessorCount, ordinal);
}

DeviceInfo describe(const Functions& hip, int ordinal, const Compiler* compiler, const std::string& no_compiler) {
  DeviceInfo info;
  info.selector = "hip:" + std::to_string(ordinal);
  info.backend = "hip";
  char name[256] = {};
  check(hip, hip.hipDeviceGetName(name, int(sizeof name) - 1, ordinal), "asking for a device's name");
  const std::string architecture = hip.architecture(ordinal);
  info.name = std::string(name[0] ? name : "AMD GPU") + " (" + architecture + ")";
  info.api = "HIP " + hip.version_text();
  info.driver = compiler ? compiler->identity() : "without hipRTC";
  info.kind =
      attribute(hip, hipDeviceAttributeIntegrated, ordinal) ? DeviceKind::integrated_gpu : DeviceKind::discrete_gpu;
  info.limits = limits_of(hip, ordinal);
  info.features = translate::supported_features();
  info.subgroup_operations = translate::supported_subgroup_operations();
  info.capabilities = translate::supported_capabilities();
  info.refusal = compiler ? compiler->refusal(architecture) : no_compiler;
  return info;
}

}  // namespace weft::hip
