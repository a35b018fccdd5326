#include <string>

#include <weft/version.h>

#include "backends/host/architectures.h"
#include "backends/host/device.h"
#include "backends/translate/capabilities.h"
#include "core/src/platform/machine.h"

namespace weft::host {

namespace {

DeviceLimits limits_of(const Settings& settings) {
  DeviceLimits limits;
  limits.memory_bytes = limits.max_buffer_bytes = core::memory_bytes();
  limits.subgroup_size = settings.subgroup_size;
  limits.min_subgroup_size = 1;
  limits.max_subgroup_size = 128;
  limits.max_workgroup_invocations = 1024;
  limits.max_workgroup_size = {1024, 1024, 1024};
  // Like GPUs of the common vendors.
  limits.max_workgroup_count = {0x7fffffff, 65535, 65535};
  // A thread runs one workgroup at a time.
  limits.workgroup_memory_bytes = limits.multiprocessor_memory_bytes = 256 * 1024;
  limits.push_constant_bytes = Arguments::max_push_constant_bytes;
  limits.storage_binding_alignment = limits.uniform_binding_alignment = 16;
  limits.max_storage_binding_bytes = limits.max_uniform_binding_bytes = limits.max_buffer_bytes;
  limits.timestamp_period_ns = 1;
  return limits;
}

std::string architecture_of(const Settings& settings) {
  if (!settings.runs_lanes()) return base_architecture;
  return settings.architecture.empty() ? vector_architecture() : settings.architecture;
}

}  // namespace

DeviceInfo describe(const Settings& settings) {
  DeviceInfo info;
  info.selector = settings.selector();
  info.backend = "host";
  info.name = core::processor_name();
  info.driver = "Weft " WEFT_VERSION ", the system's C++ compiler";
  info.api = "host";
  info.kind = DeviceKind::cpu;
  info.architecture = architecture_of(settings);
  info.limits = limits_of(settings);
  info.features = translate::supported_features();
  info.features.loop_vectorization = settings.runs_lanes();
  info.subgroup_operations = translate::supported_subgroup_operations();
  info.capabilities = translate::supported_capabilities();
  return info;
}

}  // namespace weft::host
