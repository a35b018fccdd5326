#include "backends/vulkan/kernel.h"

namespace weft::vulkan {

Kernel::Kernel(std::shared_ptr<Device> device, const Spirv& module, const KernelOptions& options, Reflection reflection)
    : backend::Kernel(device, module.name, std::move(reflection)),
      pipeline_(make_pipeline(*device, module, options, reflection_)) {}

Kernel::~Kernel() {
  auto& device = static_cast<Device&>(*device_);
  device.retire([&device, pipeline = pipeline_] { destroy(device, pipeline); });
}

}  // namespace weft::vulkan
