#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace weft::core {

// Only environment.cpp reads the environment. It defines the functions from_environment() of DeviceOptions,
// DriverLibraries and GlslOptions, and these.

/// The folders of PATH, as there; the usual ones if it is not set.
std::string program_folders();

/// The file of DeviceOptions::tuning, which `weft tune` writes: WEFT_TUNING (empty: none), else `tuning` in the folder
/// of the cache, whether it exists or not; nullopt if there is no such folder.
std::optional<std::filesystem::path> tuning_file();

}  // namespace weft::core
