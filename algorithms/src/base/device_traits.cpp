#include "algorithms/src/base/device_traits.h"

#include <algorithm>

namespace weft::algorithms {

bool is_large_nvidia(const DeviceInfo& device) {
  constexpr uint32_t hoppers_memory = 228 * 1024;
  return device.vendor == DeviceVendor::nvidia && device.features.bounded_registers &&
         device.limits.multiprocessor_memory_bytes >= hoppers_memory;
}

bool is_unbounded_nvidia(const DeviceInfo& device) {
  return device.vendor == DeviceVendor::nvidia && !device.features.bounded_registers;
}

SubgroupSizes subgroup_sizes(const DeviceInfo& device) {
  const DeviceLimits& limits = device.limits;
  if (device.kind == DeviceKind::cpu && device.features.subgroup_size_control) {
    return {limits.subgroup_size, limits.subgroup_size};
  }
  return {std::max(1u, limits.min_subgroup_size), limits.max_subgroup_size};
}

uint32_t default_serial_bytes(const DeviceInfo& device) { return device.features.loop_vectorization ? 64 * 1024 : 0; }

bool are_few(const TuningQuery& query) { return query.max_count <= 1 << 20; }

bool are_short(const TuningQuery& query) { return query.element_bytes == 4 && query.max_count <= UINT32_MAX; }

}  // namespace weft::algorithms
