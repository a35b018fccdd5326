#pragma once

#include <string>

#include "backends/vulkan/functions.h"

namespace weft::vulkan {

/// The name of a result, e.g. "VK_ERROR_DEVICE_LOST".
const char* to_string(VkResult result);

/// Throws the weft::Error for `result` unless it is a success code (VK_TIMEOUT and VK_INCOMPLETE are). `what` begins
/// the sentence, e.g. "allocating 4.0 GiB".
void check(VkResult result, const std::string& what);
/// Makes no string if there is no error, and so needs no memory then.
inline void check(VkResult result, const char* what) {
  if (result < 0) check(result, std::string(what));
}

}  // namespace weft::vulkan
