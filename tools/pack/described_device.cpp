#include "tools/pack/described_device.h"

#include <weft/error.h>

#include "core/src/runtime/backend.h"
#include "core/src/runtime/inlined_module.h"

namespace weft::tools {
namespace {

// Null if this build has no such backend.
const backend::Backend* backend_of(const DeviceInfo& info) {
  for (const backend::Backend* backend : backend::built_in_backends()) {
    if (backend->name() == info.backend) return backend;
  }
  return nullptr;
}

class DescribedDevice : public backend::Device {
 public:
  DescribedDevice(const DeviceInfo& info, const DeviceOptions& options, std::shared_ptr<core::PackSink> pack)
      : backend::Device(info, options) {
    kernels.made_pack = std::move(pack);
  }

  std::shared_ptr<backend::Kernel> create_kernel(const Spirv& module, const KernelOptions& options,
                                                 Reflection reflection) override {
    if (core::takes_inlined(info())) core::inlined_module(*this, module);
    if (const backend::Backend* backend = backend_of(info())) {
      return backend->compile_ahead(shared_from_this(), module, options, std::move(reflection));
    }
    return std::make_shared<backend::Kernel>(shared_from_this(), module.name, std::move(reflection));
  }
  std::shared_ptr<backend::Buffer> create_buffer(uint64_t) override { refuse("memory"); }
  std::unique_ptr<backend::Stream> create_stream() override { refuse("streams"); }
  void synchronize(std::chrono::nanoseconds) override {}

 private:
  [[noreturn]] static void refuse(const std::string& what) {
    throw Error(ErrorCode::unsupported, "A device that is only described has no " + what + ".");
  }
};

}  // namespace

Device described_device(const DeviceInfo& info, const DeviceOptions& options, std::shared_ptr<core::PackSink> pack) {
  const backend::Backend* const backend = backend_of(info);
  if (backend && !info.architecture.empty()) {
    const std::string missing = backend->missing_compiler(info, options);
    if (!missing.empty()) {
      throw Error(ErrorCode::unsupported, "There is no machine code for " + info.architecture + ": " + missing);
    }
  }
  const Device device(std::make_shared<DescribedDevice>(info, options, std::move(pack)));
  if (!backend) return device;
  for (const Spirv& module : backend->own_kernels()) static_cast<void>(device.kernel(module));
  return device;
}

}  // namespace weft::tools
