#pragma once

#include <spirv/unified1/spirv.hpp11>

#include "test.h"

namespace weft::test {

/// Ends the test as unsupported on devices whose workgroups cannot wait for one another.
inline void need_waiting(const Device& device) {
  if (!device.info().features.workgroup_forward_progress)
    unsupported("promises no forward progress between workgroups");
}

/// Ends the test as unsupported on devices without the Vulkan memory model.
inline void need_memory_model(const Device& device) {
  for (const auto capability : {spv::Capability::VulkanMemoryModel, spv::Capability::VulkanMemoryModelDeviceScope}) {
    if (!device.info().capabilities.contains(uint32_t(capability))) unsupported("lacks the Vulkan memory model");
  }
}

}  // namespace weft::test
