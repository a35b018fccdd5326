#pragma once

#include <string>

namespace weft::core {

// environment.cpp alone reads the environment. What it defines is declared where it belongs: from_environment() of
// DeviceOptions, DriverLibraries and GlslOptions, and this.

/// The folders of PATH with ':' between, or the system's usual ones where it is not set.
std::string program_folders();

}  // namespace weft::core
