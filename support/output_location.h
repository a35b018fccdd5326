#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>

#include "core/src/platform/handle.h"

namespace weft::support {

/// The location of an output, after following links.
struct OutputLocation {
  core::Handle folder;
  std::filesystem::path folder_path;
  std::string name;                 ///< Within the folder.
  std::optional<struct stat> file;  ///< The existing file, if any.
  bool in_proc = false;             ///< The name is an entry of /proc/self/fd: an open file, which may have no path.
};

/// Finds the location. Throws system_error for a folder or if the parent folder does not exist, and io_failed if a link
/// belongs to another user.
OutputLocation find_location(const std::filesystem::path& target);

}  // namespace weft::support
