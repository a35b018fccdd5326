#include "algorithms/src/base/device_traits.h"

namespace weft::algorithms {

bool is_large_nvidia(const DeviceInfo& device) {
  constexpr uint32_t hoppers_memory = 228 * 1024;
  return device.vendor == DeviceVendor::nvidia && device.features.bounded_registers &&
         device.limits.multiprocessor_memory_bytes >= hoppers_memory;
}

bool is_unbounded_nvidia(const DeviceInfo& device) {
  return device.vendor == DeviceVendor::nvidia && !device.features.bounded_registers;
}

bool are_few(const TuningQuery& query) { return query.max_count <= 1 << 20; }

bool are_short(const TuningQuery& query) { return query.element_bytes == 4 && query.max_count <= UINT32_MAX; }

}  // namespace weft::algorithms
