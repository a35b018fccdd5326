#pragma once

#include <weft/device_info.h>

#include "backends/vulkan/features.h"
#include "backends/vulkan/instance.h"

namespace weft::vulkan {

/// Describes a device of Weft's own instance with all the features that it supports. Sets `refusal` if Weft cannot use
/// it, and leaves `selector` empty.
DeviceInfo describe(const Instance& instance, VkPhysicalDevice device);

/// Describes a device created with the features of `enabled`. It is refused if the version that it may be used with is
/// below `least`.
DeviceInfo describe(const InstanceFunctions& vk, VkPhysicalDevice device, const FeatureChain& enabled, uint32_t least);

}  // namespace weft::vulkan
