#include "core/src/runtime/backend.h"

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

  std::string missing_compiler(const DeviceInfo&, const DeviceOptions& options) const override {
    try {
      host::Compiler::find(options.compiler);
      return {};
    } catch (const Error& error) {
      return error.what();
    }
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
