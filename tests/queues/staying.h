#pragma once

#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <utility>
#include <vector>

#include <weft/glsl.h>

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

/// Compiles a kernel whose specialization constant 0 is the workgroup's size.
inline Kernel compile(const Device& device, const std::string& source, uint32_t lanes,
                      std::vector<std::pair<std::string, std::string>> defines = {}) {
  GlslOptions options = GlslOptions::from_environment();
  options.defines = std::move(defines);
  options.debug_lines = true;
  return device.kernel(compile_glsl(source, options), KernelOptions().specialize(0, lanes));
}

/// Lines that each kernel of these tests starts with: the workgroup's size, and Words, through which workgroups pass
/// values.
constexpr const char* staying_head = R"(#version 460
  #pragma use_vulkan_memory_model
  #extension GL_EXT_buffer_reference : require
  #extension GL_EXT_scalar_block_layout : require
  #extension GL_KHR_memory_scope_semantics : require
  layout(local_size_x_id = 0) in;
  layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { nonprivate uint at[]; };
)";

/// Number of workgroups to start where the device does not say how many run at once: more than do on the CPU drivers of
/// the tests.
inline uint32_t groups_to_start(const Kernel& kernel) {
  const uint32_t resident = kernel.resident_workgroups();
  return resident != 0 ? resident : 12;
}

}  // namespace weft::test
