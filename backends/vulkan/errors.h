#pragma once

#include <string>

#include "backends/vulkan/functions.h"

namespace weft::vulkan {

/// Name of a result, e.g. "VK_ERROR_DEVICE_LOST".
const char* to_string(VkResult result);

/// Throws the weft::Error that `result` means unless it is a success: `what` says what was tried, e.g.
/// "allocating 4.0 GiB". A success other than VK_SUCCESS (VK_TIMEOUT, VK_INCOMPLETE) does not throw.
void check(VkResult result, const std::string& what);

}  // namespace weft::vulkan
