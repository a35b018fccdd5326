#pragma once

#include <memory>

#include "backends/vulkan/device.h"
#include "backends/vulkan/pipeline.h"
#include "core/src/runtime/backend.h"

namespace weft::vulkan {

class Kernel final : public backend::Kernel {
 public:
  Kernel(std::shared_ptr<Device> device, const Spirv& module, const KernelOptions& options, Reflection reflection);
  ~Kernel() override;

  const Pipeline& pipeline() const { return pipeline_->pipeline; }
  /// Expires with the kernel.
  std::weak_ptr<const void> life() const { return life_; }

 private:
  std::unique_ptr<OwnedPipeline> pipeline_;
  std::shared_ptr<const void> life_ = std::make_shared<char>();
};

}  // namespace weft::vulkan
