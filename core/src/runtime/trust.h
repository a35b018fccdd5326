#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>

namespace weft::core {

// What can put code or settings into this process, such as a cached kernel or a compiler, has to be out of other
// users' reach. The folders above need no look: who can swap a file or a folder cannot make one that belongs to us.

/// Nothing where only this process's user and root can change what has that status; else who else can, in words: "it
/// belongs to user 1000", "other users can write it". The group that has a user's name and nobody else in it counts as
/// the user.
std::optional<std::string> who_else_changes(const struct stat& status);

/// The same of the file, or the folder, that a path leads to. What is not there is for others to tell.
std::optional<std::string> who_else_changes(const std::filesystem::path& path);

}  // namespace weft::core
