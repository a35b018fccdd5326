#pragma once

#include <weft/interop/vulkan.h>

#include "gpu.h"

/// One side of a barrier.
struct Scope {
  VkPipelineStageFlags2 stages = 0;
  VkAccessFlags2 accesses = 0;
};

inline Scope weft_reads_and_writes() {
  return {weft::vulkan::first_access().stages, weft::vulkan::first_access().accesses};
}
inline Scope weft_wrote() { return {weft::vulkan::last_access().stages, weft::vulkan::last_access().accesses}; }

void memory_barrier(VkCommandBuffer commands, const Scope& before, const Scope& after);
/// Also changes the layout of a color image.
void image_barrier(VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to, const Scope& before,
                   const Scope& after);
