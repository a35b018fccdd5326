#pragma once

#include <vector>

#include <weft/kernel.h>
#include <weft/spirv.h>

#include "backends/vulkan/functions.h"
#include "core/src/runtime/retirement.h"

namespace weft::vulkan {

class Device;

/// The Vulkan objects of a kernel. A plain value, which its holder must destroy.
struct Pipeline {
  std::vector<VkDescriptorSetLayout> sets;  ///< One for each set from 0 to the highest that the kernel uses.
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
  uint32_t push_constant_bytes = 0;
  bool reads_uniforms = false;  ///< Has bindings of uniform buffers.
};

VkDescriptorType descriptor_type(Reflection::BindingKind kind);

/// Compiles, or loads compiled code from a cache: the host's VkPipelineCache if there is one, else the cache on disk.
Pipeline make_pipeline(const Device& device, const Spirv& module, const KernelOptions& options,
                       const Reflection& reflection);
void destroy(const Device& device, const Pipeline& pipeline);

/// A pipeline, destroyed with this.
struct OwnedPipeline final : core::Remains {
  explicit OwnedPipeline(const Device& owner) : device(owner) {}
  ~OwnedPipeline() override { destroy(device, pipeline); }

  const Device& device;
  Pipeline pipeline;
};

}  // namespace weft::vulkan
