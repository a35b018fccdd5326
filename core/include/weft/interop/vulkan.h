#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weft/device.h>

/// What Weft asks of Vulkan, and what the validation layer says of it. Weft makes its own instance and device: it takes
/// none from an application yet. In builds with the vulkan backend only.
namespace weft::vulkan {

/// One feature bit of vkCreateDevice.
struct FeatureRequirement {
  std::string structure;  ///< "VkPhysicalDeviceVulkan12Features"
  std::string name;       ///< "bufferDeviceAddress"
  std::string extension;  ///< The device extension that brings it; empty for core Vulkan.
  bool required = false;  ///< Weft refuses a device without it. Otherwise Weft enables it where the device has it.
  std::string reason;     ///< What it is for, in words.
};

struct Requirements {
  uint32_t api_version = 0;  ///< As VK_MAKE_API_VERSION makes it.
  std::vector<FeatureRequirement> features;

  /// Device extensions named by features, each once: those of required features, or of the optional ones.
  std::vector<std::string> extensions(bool required) const;
};

/// What Weft needs of a Vulkan device and what it can use, known before any device exists. Thread-safe; loads nothing.
Requirements requirements();

/// Messages (warnings and errors) that the validation layer has had about `device` and its instance; each was also
/// printed to stderr. 0 without validation. Throws invalid_argument for a device of another backend.
uint64_t validation_messages(const Device& device);

}  // namespace weft::vulkan
