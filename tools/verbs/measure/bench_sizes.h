#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weft/device_info.h>

namespace weft::tools {

/// Parses comma-separated sizes (1000, 2^20, 64K) and doubling ranges (2^16..2^26). Throws invalid_argument.
std::vector<uint64_t> parse_sizes(const std::string& text);

/// Parses comma-separated loads of hash tables, and ranges by steps of a tenth: 0.1..0.9,0.99. Throws invalid_argument.
std::vector<double> parse_loads(const std::string& text);

/// Returns the default sizes: as large as the device handles in reasonable time.
std::string default_sizes(const DeviceInfo& device);

}  // namespace weft::tools
