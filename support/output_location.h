#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/src/platform/files.h"

namespace weft::support {

// What a system gives for outputs: in linux/ and windows/. Failures throw std::system_error.

/// Identifies a file by its folder and name and, if it exists, by its own number, since it may have other names.
struct FileIdentity {
  uint64_t folder_device = 0, folder = 0;
  std::string name;               ///< Empty if only the file is known.
  uint64_t device = 0, file = 0;  ///< No file has number 0.

  bool is_same(const FileIdentity& other) const {
    if (file != 0 && file == other.file && device == other.device) return true;
    return !name.empty() && name == other.name && folder == other.folder && folder_device == other.folder_device;
  }
};

/// The location of an output, after following links.
struct OutputLocation {
  enum class Kind {
    nothing,  ///< No file has this name.
    plain_file,
    folder,
    stream,  ///< A device, a pipe, or an open file that may have no path, such as a redirected standard output.
  };

  core::Folder folder{core::Handle()};
  std::filesystem::path folder_path;
  std::string name;  ///< Within the folder.
  Kind kind = Kind::nothing;
  FileIdentity identity;
  std::filesystem::perms permissions{};  ///< Of a plain file there: those that it has, or those of new files.
};

/// Finds the location. Throws also if the parent folder does not exist, and io_failed if a link belongs to another
/// user. On Windows "/dev/stdout" is standard output, and a link's target must exist.
OutputLocation find_location(const std::filesystem::path& target);

/// Throws if this user may not write the plain file there.
void require_writable(const OutputLocation& location);

/// Opens a stream. What has been printed comes before what is written to it.
core::Handle open_stream(const OutputLocation& location);

/// The file behind a stream; nullopt if it is no file of the disk.
std::optional<FileIdentity> file_behind(const core::Handle& stream);

}  // namespace weft::support
