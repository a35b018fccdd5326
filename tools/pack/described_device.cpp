#include "tools/pack/described_device.h"

#include <weft/error.h>

#include "core/src/runtime/backend.h"
#include "core/src/runtime/inlined_module.h"

namespace weft::tools {
namespace {

class DescribedDevice : public backend::Device {
 public:
  DescribedDevice(const DeviceInfo& info, const DeviceOptions& options, std::shared_ptr<core::PackSink> pack)
      : backend::Device(info, options) {
    kernels.made_pack = std::move(pack);
  }

  std::shared_ptr<backend::Kernel> create_kernel(const Spirv& module, const KernelOptions&,
                                                 Reflection reflection) override {
    if (core::takes_inlined(info())) core::inlined_module(*this, module);
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
  const Device device(std::make_shared<DescribedDevice>(info, options, std::move(pack)));
  for (const backend::Backend* backend : backend::built_in_backends()) {
    if (backend->name() != info.backend) continue;
    for (const Spirv& module : backend->own_kernels()) static_cast<void>(device.kernel(module));
  }
  return device;
}

}  // namespace weft::tools
