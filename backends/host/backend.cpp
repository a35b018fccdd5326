#include "core/src/runtime/backend.h"

#include <algorithm>

#include "backends/host/architectures.h"
#include "backends/host/code_maker.h"
#include "backends/host/device.h"
#include "core/src/runtime/process.h"

namespace weft::backend {

namespace {

class HostBackend final : public Backend {
 public:
  const char* name() const override { return "host"; }
  BackendInfo list(const DriverLibraries&) const override { return {name(), {host::describe({})}, {}}; }

  std::shared_ptr<Device> open(size_t, const DeviceOptions& options) const override {
    return core::make_here<host::Device>(host::Settings{}, options);
  }

  std::string missing_compiler(const DeviceInfo& device, const DeviceOptions& options) const override {
    try {
      host::Compiler::find_for(device.architecture, options.compiler);
      return {};
    } catch (const Error& error) {
      return error.what();
    }
  }

  std::optional<DeviceInfo> describe(const std::string& architecture) const override {
    const auto known = host::known_architectures();
    if (std::ranges::find(known, architecture) == known.end()) return std::nullopt;
    host::Settings settings;
    settings.architecture = architecture;
    DeviceInfo info = host::describe(settings);
    info.name = architecture;
    return info;
  }
  std::shared_ptr<Kernel> compile_ahead(const std::shared_ptr<Device>& device, const Spirv& module,
                                        const KernelOptions& options, Reflection reflection) const override {
    host::make_ahead(*device, module, reflection, options);
    return std::make_shared<Kernel>(device, module.name, std::move(reflection));
  }

  const char* settings() const override { return host::settings_text; }
  std::shared_ptr<Device> open_with(const std::string& settings, const DeviceOptions& options) const override {
    return core::make_here<host::Device>(host::parse_settings(settings), options);
  }
};

}  // namespace

const Backend& host_backend() {
  static const HostBackend backend;
  return backend;
}

}  // namespace weft::backend
