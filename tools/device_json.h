#pragma once

#include <nlohmann/json.hpp>

#include <weft/device_info.h>

namespace weft::tools {

/// Feature names and values, those most often asked for first.
std::vector<std::pair<const char*, bool*>> features(DeviceFeatures& features);

/// A device as `weft devices --json` shows it.
nlohmann::ordered_json to_json(const DeviceInfo& device);
/// A device from such a value. What is missing is as in DeviceInfo{}. Throws invalid_argument for values of other types
/// and names that do not exist.
DeviceInfo device_from_json(const nlohmann::ordered_json& json);

}  // namespace weft::tools
