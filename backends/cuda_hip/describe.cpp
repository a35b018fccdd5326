#include "backends/cuda_hip/describe.h"

#include <weft/arguments.h>

#include "backends/translate/capabilities.h"

namespace weft::cuda_hip {

void describe_translated(DeviceInfo& info) {
  DeviceLimits& limits = info.limits;
  limits.max_buffer_bytes = limits.memory_bytes;
  limits.push_constant_bytes = Arguments::max_push_constant_bytes;
  limits.storage_binding_alignment = limits.uniform_binding_alignment = 16;
  limits.max_storage_binding_bytes = limits.max_uniform_binding_bytes = limits.max_buffer_bytes;
  info.features = translate::supported_features();
  info.subgroup_operations = translate::supported_subgroup_operations();
  info.capabilities = translate::supported_capabilities();
}

}  // namespace weft::cuda_hip
