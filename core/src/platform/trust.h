#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/src/platform/handle.h"

namespace weft::core {

// Files that bring code or settings into this process, such as cached kernels and compilers, must be out of reach of
// other users. Parent folders need no check: someone who can replace a file or folder cannot create one that belongs to
// this user.

/// Says who besides this process's user and the system's administrators can change an open file or folder, in words:
/// "it belongs to user 1000", "every user can write it"; nullopt if nobody can. On Linux, a group with the user's name
/// and no other member counts as the user.
std::optional<std::string> who_else_changes(const Handle& opened);

/// The same for the file or folder at `path`. Returns nullopt if there is none: reporting that is up to the caller.
std::optional<std::string> who_else_changes(const std::filesystem::path& path);

/// The system's commands that make a file this user's alone, for advice.
extern const char* const restricting_commands;

}  // namespace weft::core
