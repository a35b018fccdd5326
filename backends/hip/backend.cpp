#include "core/src/runtime/backend.h"

#include "backends/cuda_hip/device.h"
#include "backends/cuda_hip/kernel_ahead.h"
#include "backends/hip/api.h"
#include "backends/hip/architectures.h"
#include "backends/hip/compiler.h"
#include "backends/hip/describe.h"
#include "core/src/runtime/process.h"

namespace weft::backend {

namespace {

/// Opens and initializes the runtime. Throws unsupported, with the reason, if there is none.
std::shared_ptr<const hip::DriverFunctions> open_driver(const DriverLibraries& libraries) {
  auto functions = hip::DriverFunctions::open(libraries);
  const hipError_t result = functions->hipInit(0);
  // The result without a device differs between versions.
  if (result == hipErrorNoDevice || result == hipErrorInvalidDevice) {
    throw Error(ErrorCode::unsupported, "HIP (" + functions->library + ") found no device");
  }
  hip::check(*functions, result, "starting HIP");
  return functions;
}

/// hipRTC. Its library is opened when it is needed.
std::shared_ptr<const hip::Compiler> compiler_of(const DriverLibraries& libraries) {
  return std::make_shared<hip::Compiler>(
      [libraries] { return hip::CompilerFunctions::open(*hip::DriverFunctions::open(libraries), libraries); });
}

int device_count(const hip::DriverFunctions& functions) {
  int count = 0;
  const hipError_t result = functions.hipGetDeviceCount(&count);
  if (result != hipErrorNoDevice) hip::check(functions, result, "counting HIP devices");
  return count;
}

class HipBackend final : public Backend {
 public:
  const char* name() const override { return "hip"; }

  BackendInfo list(const DriverLibraries& libraries) const override {
    BackendInfo result{name(), {}, {}};
    try {
      const auto functions = open_driver(libraries);
      for (int ordinal = 0; ordinal < device_count(*functions); ++ordinal) {
        result.devices.push_back(hip::describe(*functions, ordinal));
      }
      if (result.devices.empty()) result.reason = "HIP (" + functions->library + ") found no device";
    } catch (const Error& error) {
      result.devices.clear();
      result.reason = error.what();
    }
    return result;
  }

  std::shared_ptr<Device> open(size_t index, const DeviceOptions& options) const override {
    const auto functions = open_driver(options.libraries);
    cuda_hip::Setup setup;
    setup.api = std::make_shared<hip::Api>(functions);
    setup.compiler = compiler_of(options.libraries);
    setup.ordinal = int(index);
    setup.architecture = hip::architecture(*functions, setup.ordinal);
    setup.multiprocessors = hip::multiprocessors(*functions, setup.ordinal);
    setup.info = hip::describe(*functions, setup.ordinal);
    setup.context = setup.api->retain_context(setup.ordinal);
    return core::make_here<cuda_hip::Device>(std::move(setup), options);
  }

  std::string missing_compiler(const DeviceInfo& device, const DeviceOptions& options) const override {
    return compiler_of(options.libraries)->refusal(device.architecture);
  }
  std::optional<DeviceInfo> describe(const std::string& architecture) const override {
    return hip::described(architecture);
  }
  std::shared_ptr<Kernel> compile_ahead(const std::shared_ptr<Device>& device, const Spirv& module,
                                        const KernelOptions& options, Reflection reflection) const override {
    return std::make_shared<cuda_hip::KernelAhead>(device, compiler_of(device->options().libraries), module, options,
                                                   std::move(reflection));
  }
};

}  // namespace

const Backend& hip_backend() {
  static const HipBackend backend;
  return backend;
}

}  // namespace weft::backend
