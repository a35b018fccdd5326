#pragma once

#include <string>

namespace weft::core {

// Only environment.cpp reads the environment. It defines the functions from_environment() of DeviceOptions,
// DriverLibraries and GlslOptions, and this one.

/// The folders of PATH, separated by ':'; the usual ones if it is not set.
std::string program_folders();

}  // namespace weft::core
