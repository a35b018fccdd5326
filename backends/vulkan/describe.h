#pragma once

#include <weft/device_info.h>

#include "backends/vulkan/features.h"
#include "backends/vulkan/instance.h"

namespace weft::vulkan {

/// What a device of an instance of Weft's own could be opened as: with all that it supports. `refusal` is set when Weft
/// cannot use it; `selector` is left empty.
DeviceInfo describe(const Instance& instance, VkPhysicalDevice device);

/// The same of a device that was made with the features that are on in `enabled`.
DeviceInfo describe(const InstanceFunctions& vk, VkPhysicalDevice device, const FeatureChain& enabled);

}  // namespace weft::vulkan
