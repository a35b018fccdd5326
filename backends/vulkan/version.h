#pragma once

#include <cstdint>
#include <string>

#include "backends/vulkan/functions.h"

namespace weft::vulkan {

/// "1.3.239"
inline std::string version_text(uint32_t version) {
  return std::to_string(VK_API_VERSION_MAJOR(version)) + "." + std::to_string(VK_API_VERSION_MINOR(version)) + "." +
         std::to_string(VK_API_VERSION_PATCH(version));
}

}  // namespace weft::vulkan
