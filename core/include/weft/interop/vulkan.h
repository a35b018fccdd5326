#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weft/device.h>

/// What Weft requires of Vulkan, and messages of the validation layer. Weft creates its own instance and device; it
/// cannot use an application's yet. Only in builds with the vulkan backend.
namespace weft::vulkan {

/// A feature bit of vkCreateDevice.
struct FeatureRequirement {
  std::string structure;  ///< "VkPhysicalDeviceVulkan12Features"
  std::string name;       ///< "bufferDeviceAddress"
  std::string extension;  ///< The device extension that it belongs to; empty for core Vulkan.
  bool required = false;  ///< Weft refuses devices without it. Weft enables other features if present.
  std::string reason;     ///< Its purpose, in words.
};

struct Requirements {
  uint32_t api_version = 0;  ///< In the form of VK_MAKE_API_VERSION.
  std::vector<FeatureRequirement> features;

  /// The device extensions of all required features, or of all optional ones, without duplicates.
  std::vector<std::string> extensions(bool required) const;
};

/// What Weft needs of a Vulkan device, and what else it can use. Needs no device and loads nothing. Thread-safe.
Requirements requirements();

/// Number of warnings and errors of the validation layer about `device` and its instance so far; each also went to
/// DeviceOptions::messages. 0 without validation. Throws invalid_argument for a device of another backend.
uint64_t validation_messages(const Device& device);

}  // namespace weft::vulkan
