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

class RecordingStream final : public backend::Stream {
 public:
  RecordingStream(backend::Device& device, std::vector<RequestedDispatch>& dispatches)
      : device_(device), dispatches_(dispatches) {}

  backend::Device& device() override { return device_; }
  void dispatch(const backend::Kernel& kernel, Groups groups, const backend::BoundArguments&) override {
    dispatches_.push_back({kernel.name(), groups});
  }
  void dispatch_indirect(const backend::Kernel&, const Region&, const backend::BoundArguments&) override {}
  void copy(const Region&, const Region&) override {}
  void fill(const Region&, uint32_t) override {}
  void upload(const Region&, std::span<const std::byte>) override {}
  void download(const Region&, std::span<std::byte>, std::chrono::nanoseconds) override {}
  std::shared_ptr<backend::Timestamp> timestamp() override { return nullptr; }
  std::shared_ptr<backend::Event> record() override { return nullptr; }
  void wait(const std::shared_ptr<backend::Event>&) override {}
  void begin_independent() override {}
  void end_independent() override {}
  void submit() override {}
  void synchronize(std::chrono::nanoseconds) override {}

 private:
  backend::Device& device_;
  std::vector<RequestedDispatch>& dispatches_;
};

class RecordingDevice : public backend::Device {
 public:
  RecordingDevice(DeviceInfo info, std::vector<RequestedKernel>& requested, std::vector<RequestedDispatch>* dispatches)
      : backend::Device(std::move(info), untuned()), requested_(requested), dispatches_(dispatches) {}

  std::shared_ptr<backend::Kernel> create_kernel(const Spirv& module, const KernelOptions& options,
                                                 Reflection reflection) override {
    requested_.push_back({module, options, ""});
    return std::make_shared<RecordedKernel>(shared_from_this(), module.name, std::move(reflection));
  }
  std::shared_ptr<backend::Buffer> create_buffer(uint64_t bytes) override {
    if (!dispatches_) refuse("memory");
    const uint64_t address = next_address_;
    next_address_ += (bytes + 4095) / 4096 * 4096;
    return std::make_shared<backend::Buffer>(shared_from_this(), address, bytes);
  }
  std::unique_ptr<backend::Stream> create_stream() override {
    if (!dispatches_) refuse("streams");
    return std::make_unique<RecordingStream>(*this, *dispatches_);
  }
  void synchronize(std::chrono::nanoseconds) override {}

 private:
  [[noreturn]] static void refuse(const std::string& what) {
    throw Error(ErrorCode::unsupported, "A device that only records kernels has no " + what + ".");
  }

  std::vector<RequestedKernel>& requested_;
  std::vector<RequestedDispatch>* const dispatches_;
  uint64_t next_address_ = uint64_t{1} << 40;
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
  return Device(std::make_shared<RecordingDevice>(info, requested, nullptr));
}

Device recording_device(const DeviceInfo& info, std::vector<RequestedKernel>& requested,
                        std::vector<RequestedDispatch>& dispatches) {
  return Device(std::make_shared<RecordingDevice>(info, requested, &dispatches));
}

}  // namespace weft::test
