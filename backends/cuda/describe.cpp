#include "backends/cuda/describe.h"

#include "backends/cuda/architectures.h"

namespace weft::cuda {

namespace {

int attribute(const DriverFunctions& cu, int ordinal, CUdevice_attribute which) {
  int value = 0;
  check(cu, cu.cuDeviceGetAttribute(&value, which, ordinal), "querying a CUDA device's attributes");
  return value;
}

struct Capability {
  int major = 0, minor = 0;
};

Capability compute_capability(const DriverFunctions& cu, int ordinal) {
  return {attribute(cu, ordinal, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
          attribute(cu, ordinal, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)};
}

DeviceLimits limits_of(const DriverFunctions& cu, int ordinal) {
  const auto ask = [&](CUdevice_attribute which) { return uint32_t(attribute(cu, ordinal, which)); };
  DeviceLimits limits;
  size_t bytes = 0;
  check(cu, cu.cuDeviceTotalMem(&bytes, ordinal), "querying a CUDA device's memory");
  limits.memory_bytes = bytes;
  limits.subgroup_size = limits.min_subgroup_size = limits.max_subgroup_size = ask(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
  limits.max_workgroup_invocations = ask(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  limits.max_workgroup_size = {ask(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X), ask(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
                               ask(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)};
  limits.max_workgroup_count = {ask(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X), ask(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
                                ask(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)};
  limits.workgroup_memory_bytes = ask(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  limits.multiprocessor_memory_bytes = ask(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  limits.timestamp_period_ns = 500;  // the resolution that CUDA states for its events
  return limits;
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string refusal(const DriverFunctions& cu, int ordinal, int driver) {
  const Capability capability = compute_capability(cu, ordinal);
  if (capability.major * 10 + capability.minor < 75) {
    return "compute capability " + std::to_string(capability.major) + "." + std::to_string(capability.minor) +
           "; Weft needs 7.5 (Turing) or later";
  }
  if (driver < 12000) return "its driver is for CUDA " + version_text(driver) + "; Weft needs one for CUDA 12 or later";
  return {};
}

}  // namespace

DeviceInfo describe(const DriverFunctions& cu, int ordinal) {
  DeviceInfo info;
  char name[256] = {};
  int driver = 0;
  check(cu, cu.cuDeviceGetName(name, sizeof(name), ordinal), "querying a CUDA device's name");
  check(cu, cu.cuDriverGetVersion(&driver), "querying the CUDA driver's version");
  info.selector = "cuda:" + std::to_string(ordinal);
  info.name = name;
  info.driver = "NVIDIA's driver for CUDA " + version_text(driver);
  info.architecture = architecture(cu, ordinal);
  info.api = "CUDA " + version_text(driver) + ", " + info.architecture;
  info.kind = attribute(cu, ordinal, CU_DEVICE_ATTRIBUTE_INTEGRATED) != 0 ? DeviceKind::integrated_gpu
                                                                          : DeviceKind::discrete_gpu;
  info.limits = limits_of(cu, ordinal);
  describe_any(info);
  info.refusal = refusal(cu, ordinal, driver);
  return info;
}

std::string architecture(const DriverFunctions& cu, int ordinal) {
  const Capability capability = compute_capability(cu, ordinal);
  return "sm_" + std::to_string(capability.major) + std::to_string(capability.minor);
}

uint32_t multiprocessors(const DriverFunctions& cu, int ordinal) {
  return uint32_t(attribute(cu, ordinal, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
}

}  // namespace weft::cuda
