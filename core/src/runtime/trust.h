#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>

namespace weft::core {

// Files that bring code or settings into this process, such as cached kernels and compilers, must be out of reach of
// other users. Parent folders need no check: someone who can replace a file or folder cannot create one that belongs to
// this user.

/// Says who besides this process's user and root can change a file of that status, in words: "it belongs to user 1000",
/// "every user can write it"; nullopt if nobody can. A group with the user's name and no other member counts as the
/// user.
std::optional<std::string> who_else_changes(const struct stat& status);

/// The same for the file or folder at `path`. Returns nullopt if there is none: reporting that is up to the caller.
std::optional<std::string> who_else_changes(const std::filesystem::path& path);

}  // namespace weft::core
