#pragma once

#include <vector>

#include "backends/vulkan/device.h"
#include "core/src/runtime/backend.h"

namespace weft::vulkan {

/// The Vulkan objects of a kernel. A plain value: its holder destroys them.
struct PipelineObjects {
  std::vector<VkDescriptorSetLayout> sets;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
};

class Kernel final : public backend::Kernel {
 public:
  /// Compiles the kernel, or loads the driver's code from the disk cache.
  Kernel(std::shared_ptr<Device> device, const Spirv& module, const KernelOptions& options, Reflection reflection);
  ~Kernel() override;

  bool reads_uniforms() const { return reads_uniforms_; }
  VkPipeline pipeline() const { return objects_.pipeline; }
  VkPipelineLayout layout() const { return objects_.layout; }
  /// One layout per descriptor set, from 0 to the highest that the kernel uses.
  const std::vector<VkDescriptorSetLayout>& sets() const { return objects_.sets; }

 private:
  void create_layout(const Device& device);
  void create_pipeline(const Device& device, const Spirv& module, const KernelOptions& options);

  PipelineObjects objects_;
  bool reads_uniforms_ = false;  ///< Whether it has uniform buffers.
};

}  // namespace weft::vulkan
