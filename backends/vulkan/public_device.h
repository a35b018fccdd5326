#pragma once

#include <memory>
#include <string>

#include <weft/device.h>

#include "backends/vulkan/device.h"

namespace weft::vulkan {

/// The device behind the public one. Throws invalid_argument for a device of another backend; `what` starts the error.
inline std::shared_ptr<Device> vulkan_device(const weft::Device& device, const char* what) {
  auto found = std::dynamic_pointer_cast<Device>(device.shared_impl());
  if (!found) {
    throw Error(ErrorCode::invalid_argument,
                std::string(what) + ": " + device.info().selector + " is no Vulkan device");
  }
  return found;
}

}  // namespace weft::vulkan
