#pragma once

#include <string>
#include <vector>

#include <weft/device_info.h>

namespace weft::tools {

/// A kind of device that a pack serves.
struct Profile {
  std::string name;
  DeviceInfo device;
};

/// Those that `weft pack` knows by name.
std::vector<Profile> known_profiles();
/// The profile of that name, a device of that architecture ("sm_90"), or the device that a file describes as
/// `weft devices --json` does. Throws invalid_argument if there is none, io_failed if the file cannot be read.
Profile find_profile(const std::string& name);

}  // namespace weft::tools
