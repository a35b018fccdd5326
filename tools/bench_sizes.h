#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weft/device_info.h>

namespace weft::tools {

/// Sizes separated by commas: 1000, 2^20, 64K, and ranges that double: 2^16..2^26. Throws invalid_argument.
std::vector<uint64_t> parse_sizes(const std::string& text);

/// What is measured when no size is given: as far as the device gets in reasonable time.
std::string default_sizes(const DeviceInfo& device);

}  // namespace weft::tools
