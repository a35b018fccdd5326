#pragma once

#include <mutex>

#include "backends/vulkan/functions.h"

namespace weft::vulkan {

/// A queue that streams share. Every submission holds the mutex.
struct Queue {
  VkQueue handle = VK_NULL_HANDLE;
  std::mutex mutex;
};

}  // namespace weft::vulkan
