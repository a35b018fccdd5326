#include "core/src/backend.h"
#include "backends/driver/device.h"
#include "backends/hip/api.h"
#include "backends/hip/compiler.h"
#include "backends/hip/describe.h"
#include "backends/hip/errors.h"

namespace weft::backend {

namespace {

// What this process has of HIP.
struct Installed {
  std::shared_ptr<const hip::Functions> functions = hip::Functions::open();
  std::shared_ptr<const hip::Compiler> compiler;
  std::string no_compiler;  ///< Why there is none.

  Installed() {
    try {
      compiler = std::make_shared<hip::Compiler>(*functions);
    } catch (const Error& error) {
      no_compiler = error.what();
    }
  }
  int count() const {
    int devices = 0;
    hip::check(*functions, functions->hipGetDeviceCount(&devices), "counting devices");
    return devices;
  }
  DeviceInfo describe(int ordinal) const { return hip::describe(*functions, ordinal, compiler.get(), no_compiler); }
};

class HipBackend final : public Backend {
 public:
  const char* name() const override { return "hip"; }

  BackendInfo list() const override {
    BackendInfo result{name(), {}, {}};
    try {
      const Installed installed;
      for (int k = 0; k < installed.count(); ++k) result.devices.push_back(installed.describe(k));
    } catch (const Error& error) {
      result.devices.clear();
      result.reason = error.what();
    }
    return result;
  }

  std::shared_ptr<Device> open(size_t index, const DeviceOptions& options) const override {
    const Installed installed;
    const int ordinal = int(index);
    if (ordinal >= installed.count()) {
      throw Error(ErrorCode::unsupported, "hip:" + std::to_string(index) + " is gone: HIP now lists " +
                                              std::to_string(installed.count()) + " devices");
    }
    driver::Setup setup;
    setup.api = std::make_shared<hip::Api>(installed.functions);
    setup.compiler = installed.compiler;
    setup.ordinal = ordinal;
    setup.context = setup.api->retain_context(ordinal);
    setup.architecture = installed.functions->architecture(ordinal);
    setup.multiprocessors = hip::multiprocessors(*installed.functions, ordinal);
    setup.info = installed.describe(ordinal);
    return std::make_shared<driver::Device>(std::move(setup), options);
  }
};

}  // namespace

const Backend& hip_backend() {
  static const HipBackend backend;
  return backend;
}

}  // namespace weft::backend
