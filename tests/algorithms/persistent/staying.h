#pragma once

#include <string>
#include <utility>
#include <vector>

#include <weft/glsl.h>

#include "tests/support/needs.h"

namespace weft::test {

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

/// Offsets in words in the WeftWorkQueue of weft/device/work_queue.glsl.
constexpr uint32_t free_slots = 0, pushed = 32, items_left = 64, popped = 96, finished = 128, slots = 192;

/// Number of workgroups to start where the device does not say how many run at once: more than do on the CPU drivers of
/// the tests.
inline uint32_t groups_to_start(const Kernel& kernel) {
  const uint32_t resident = kernel.resident_workgroups();
  return resident != 0 ? resident : 12;
}

}  // namespace weft::test
