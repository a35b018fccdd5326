#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>

#include "core/src/runtime/files.h"

namespace weft::tools {

/// Where an output goes, links followed.
struct OutputPlace {
  core::Descriptor folder;
  std::filesystem::path folder_path;
  std::string name;                 ///< In the folder.
  std::optional<struct stat> file;  ///< What is there; nothing where it is still to be made.
  bool in_proc = false;  ///< The name is one that /proc/self/fd has for an open file: it leads where no path does.
};

/// Throws io_failed for a folder, where there is none to write into, and where a link is another user's.
OutputPlace find_place(const std::filesystem::path& target);

}  // namespace weft::tools
