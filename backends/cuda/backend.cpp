#include "core/src/runtime/backend.h"

#include "backends/cuda/architectures.h"
#include "backends/cuda/describe.h"
#include "backends/cuda/open.h"
#include "backends/cuda_hip/device.h"
#include "backends/cuda_hip/kernel_ahead.h"
#include "core/src/runtime/process.h"

namespace weft::backend {

namespace {

int device_count(const cuda::DriverFunctions& functions) {
  int count = 0;
  cuda::check(functions, functions.cuDeviceGetCount(&count), "counting CUDA devices");
  return count;
}

class CudaBackend final : public Backend {
 public:
  const char* name() const override { return "cuda"; }

  BackendInfo list(const DriverLibraries& libraries) const override {
    BackendInfo result{name(), {}, {}};
    try {
      const auto functions = cuda::open_driver(libraries);
      for (int ordinal = 0; ordinal < device_count(*functions); ++ordinal) {
        result.devices.push_back(cuda::describe(*functions, ordinal));
      }
      if (result.devices.empty()) result.reason = "the CUDA driver found no device";
    } catch (const Error& error) {
      result.devices.clear();
      result.reason = error.what();
    }
    return result;
  }

  std::shared_ptr<Device> open(size_t index, const DeviceOptions& options) const override {
    const auto functions = cuda::open_driver(options.libraries);
    cuda_hip::Setup setup = cuda::describe_setup(functions, options.libraries, int(index));
    setup.context = setup.api->retain_context(setup.ordinal);
    return core::make_here<cuda_hip::Device>(std::move(setup), options);
  }

  std::string missing_compiler(const DeviceInfo& device, const DeviceOptions& options) const override {
    return cuda::compiler_of(options.libraries)->refusal(device.architecture);
  }
  std::optional<DeviceInfo> describe(const std::string& architecture) const override {
    return cuda::described(architecture);
  }
  std::shared_ptr<Kernel> compile_ahead(const std::shared_ptr<Device>& device, const Spirv& module,
                                        const KernelOptions& options, Reflection reflection) const override {
    return std::make_shared<cuda_hip::KernelAhead>(device, cuda::compiler_of(device->options().libraries), module,
                                                   options, std::move(reflection));
  }
};

}  // namespace

const Backend& cuda_backend() {
  static const CudaBackend backend;
  return backend;
}

}  // namespace weft::backend
