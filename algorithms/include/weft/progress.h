#pragma once

#include <string>

#include <weft/api.h>
#include <weft/device.h>

namespace weft {

/// Throws unsupported, naming `what` and the device, unless a workgroup there may wait for another that has started
/// (progress class P1 of docs/devices.md). Call it before making a kernel with WEFT_WITH_LOCK, or with another wait of
/// that class.
WEFT_API void require_forward_progress(const Device& device, const std::string& what);

}  // namespace weft
