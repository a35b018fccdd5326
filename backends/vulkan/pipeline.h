#pragma once

#include <vector>

#include <weft/kernel.h>
#include <weft/spirv.h>

#include "backends/vulkan/functions.h"

namespace weft::vulkan {

class Device;

/// The Vulkan objects of a kernel. A plain value: whoever holds it destroys it.
struct Pipeline {
  std::vector<VkDescriptorSetLayout> sets;  ///< One for each set from 0 to the highest that the kernel uses.
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
  uint32_t push_constant_bytes = 0;
  bool reads_uniforms = false;  ///< From uniform buffers.
};

/// Compiles, or takes the driver's code from a cache: the host's VkPipelineCache where it gave one, or that on disk.
Pipeline make_pipeline(const Device& device, const Spirv& module, const KernelOptions& options,
                       const Reflection& reflection);
void destroy(const Device& device, const Pipeline& pipeline);

}  // namespace weft::vulkan
