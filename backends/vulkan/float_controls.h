#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "backends/vulkan/functions.h"

namespace weft::vulkan {

/// Execution modes of floating point: properties of a device, which are there or not for each width, and need not be
/// enabled.
using FloatControls = VkPhysicalDeviceFloatControlsProperties;

/// The capabilities of the modes that the device has for some width.
std::set<uint32_t> capabilities(const FloatControls& device);

/// An execution mode of a kernel, for floats of so many bits.
struct FloatMode {
  uint32_t mode = 0, width = 0;
};
/// What a device lacks for a kernel with these modes, in words. Other execution modes are ignored.
std::vector<std::string> missing(std::span<const FloatMode> modes, const FloatControls& device);

}  // namespace weft::vulkan
