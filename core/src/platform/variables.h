#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace weft::core {

/// An environment variable; nullopt if it is not set.
std::optional<std::string> environment_variable(const char* name);

/// The folder where programs of this user keep caches; empty if the environment names none.
std::filesystem::path caches_folder();
/// The variables that name it, for messages: "XDG_CACHE_HOME nor HOME".
extern const char* const caches_folder_variables;

/// Separates the paths in a variable such as PATH.
extern const char path_separator;
/// What PATH is where it is not set.
extern const char* const usual_program_folders;

}  // namespace weft::core
