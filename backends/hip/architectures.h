#pragma once

#include <optional>
#include <string>

#include <weft/device_info.h>

namespace weft::hip {

/// The properties of HIP devices that Weft's kernels depend on, and that are the same for all of them.
void describe_any(DeviceInfo& info);

/// A GPU of an architecture ("gfx90a", "gfx90a:xnack-"), as describe() would describe it. None if that is no name of
/// one.
std::optional<DeviceInfo> described(const std::string& architecture);

}  // namespace weft::hip
