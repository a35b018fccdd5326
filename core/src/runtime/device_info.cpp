#include <weft/device_info.h>

namespace weft {

const char* to_string(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::discrete_gpu:
      return "discrete GPU";
    case DeviceKind::integrated_gpu:
      return "integrated GPU";
    case DeviceKind::virtual_gpu:
      return "virtual GPU";
    case DeviceKind::cpu:
      return "CPU";
    case DeviceKind::other:
      return "other";
  }
  return "unknown";
}

const char* to_string(DeviceVendor vendor) {
  switch (vendor) {
    case DeviceVendor::nvidia:
      return "NVIDIA";
    case DeviceVendor::amd:
      return "AMD";
    case DeviceVendor::intel:
      return "Intel";
    case DeviceVendor::other:
      return "other";
  }
  return "unknown";
}

const char* to_string(SubgroupOperation operation) {
  switch (operation) {
    case SubgroupOperation::basic:
      return "basic";
    case SubgroupOperation::vote:
      return "vote";
    case SubgroupOperation::arithmetic:
      return "arithmetic";
    case SubgroupOperation::ballot:
      return "ballot";
    case SubgroupOperation::shuffle:
      return "shuffle";
    case SubgroupOperation::shuffle_relative:
      return "shuffle_relative";
    case SubgroupOperation::clustered:
      return "clustered";
    case SubgroupOperation::quad:
      return "quad";
  }
  return "unknown";
}

}  // namespace weft
