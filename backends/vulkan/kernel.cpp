#include "backends/vulkan/kernel.h"

namespace weft::vulkan {

Kernel::Kernel(std::shared_ptr<Device> device, const Spirv& module, const KernelOptions& options, Reflection reflection)
    : backend::Kernel(device, module.name, std::move(reflection)), pipeline_(std::make_unique<OwnedPipeline>(*device)) {
  pipeline_->pipeline = make_pipeline(*device, module, options, reflection_);
}

Kernel::~Kernel() { static_cast<Device&>(*device_).retire(std::move(pipeline_)); }

}  // namespace weft::vulkan
