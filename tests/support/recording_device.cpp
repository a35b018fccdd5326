#include "tests/support/recording_device.h"

#include <weft/error.h>

#include "core/src/runtime/backend.h"

namespace weft::test {
namespace {

// Plans take the defaults, whatever tuning file this user has.
DeviceOptions untuned() {
  DeviceOptions options = DeviceOptions::from_environment();
  options.tuning = {};
  return options;
}

class RecordedKernel : public backend::Kernel {
 public:
  using backend::Kernel::Kernel;
};

class RecordingDevice : public backend::Device {
 public:
  RecordingDevice(DeviceInfo info, std::vector<RequestedKernel>& requested)
      : backend::Device(std::move(info), untuned()), requested_(requested) {}

  std::shared_ptr<backend::Kernel> create_kernel(const Spirv& module, const KernelOptions& options,
                                                 Reflection reflection) override {
    requested_.push_back({module, options, ""});
    return std::make_shared<RecordedKernel>(shared_from_this(), module.name, std::move(reflection));
  }
  std::shared_ptr<backend::Buffer> create_buffer(uint64_t) override { refuse("memory"); }
  std::unique_ptr<backend::Stream> create_stream() override { refuse("streams"); }
  void synchronize(std::chrono::nanoseconds) override {}

 private:
  [[noreturn]] static void refuse(const std::string& what) {
    throw Error(ErrorCode::unsupported, "A device that only records kernels has no " + what + ".");
  }

  std::vector<RequestedKernel>& requested_;
};

}  // namespace

DeviceInfo gpu(uint32_t subgroup_size, uint32_t workgroup_memory_bytes) {
  DeviceInfo info;
  info.selector = info.backend = info.name = "recording";
  info.kind = DeviceKind::discrete_gpu;
  DeviceLimits& limits = info.limits;
  limits.subgroup_size = limits.min_subgroup_size = limits.max_subgroup_size = subgroup_size;
  limits.max_workgroup_invocations = 1024;
  limits.max_workgroup_size = {1024, 1024, 64};
  limits.max_workgroup_count = {0x7fffffff, 65535, 65535};
  limits.workgroup_memory_bytes = workgroup_memory_bytes;
  limits.push_constant_bytes = 256;
  limits.memory_bytes = limits.max_buffer_bytes = uint64_t{1} << 40;
  limits.max_storage_binding_bytes = limits.max_uniform_binding_bytes = limits.max_buffer_bytes;
  limits.storage_binding_alignment = limits.uniform_binding_alignment = 16;
  DeviceFeatures& features = info.features;
  features.int8 = features.int16 = features.int64 = true;
  features.float16 = features.float64 = true;
  features.storage8 = features.storage16 = true;
  features.buffer_int64_atomics = features.workgroup_int64_atomics = true;
  features.workgroup_forward_progress = true;
  features.scalar_layout = true;
  // The translator decides which capabilities are supported.
  constexpr uint32_t beyond_all_capabilities = 8192;
  for (uint32_t capability = 0; capability < beyond_all_capabilities; ++capability)
    info.capabilities.insert(capability);
  return info;
}

DeviceInfo nvidia_by_cuda(const std::string& architecture, uint32_t workgroup_memory_bytes) {
  constexpr uint32_t reserved_bytes = 1024;  // Of each block, out of its multiprocessor's memory.
  DeviceInfo info = gpu(32, workgroup_memory_bytes);
  info.backend = "cuda";
  info.vendor = DeviceVendor::nvidia;
  info.architecture = architecture;
  info.limits.multiprocessor_memory_bytes = workgroup_memory_bytes + reserved_bytes;
  info.features.bounded_registers = true;
  return info;
}

DeviceInfo h200_by_cuda() {
  DeviceInfo info = nvidia_by_cuda("sm_90", 227 * 1024);
  info.name = "NVIDIA H200";
  return info;
}

DeviceInfo h200_by_vulkan() {
  DeviceInfo info = gpu(32, 48 * 1024);
  info.backend = "vulkan";
  info.name = "NVIDIA H200";
  info.vendor = DeviceVendor::nvidia;
  return info;
}

Device recording_device(const DeviceInfo& info, std::vector<RequestedKernel>& requested) {
  return Device(std::make_shared<RecordingDevice>(info, requested));
}

}  // namespace weft::test
