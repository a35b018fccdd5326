#pragma once

#include <initializer_list>
#include <spirv/unified1/spirv.hpp11>
#include <string>

#include "tests/support/test.h"

namespace weft::test {

/// Ends the test as unsupported on devices whose workgroups cannot wait for one another.
inline void need_waiting(const Device& device) {
  if (!device.info().features.workgroup_forward_progress)
    unsupported("promises no forward progress between workgroups");
}

/// Ends the test as unsupported, for that reason, on devices without all of these capabilities.
inline void need_capabilities(const Device& device, std::initializer_list<spv::Capability> capabilities,
                              const std::string& reason) {
  for (const spv::Capability capability : capabilities) {
    if (!device.info().capabilities.contains(uint32_t(capability))) unsupported(reason);
  }
}

/// Ends the test as unsupported on devices without the Vulkan memory model.
inline void need_memory_model(const Device& device) {
  need_capabilities(device, {spv::Capability::VulkanMemoryModel, spv::Capability::VulkanMemoryModelDeviceScope},
                    "lacks the Vulkan memory model");
}

}  // namespace weft::test
