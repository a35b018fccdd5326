#include "core/src/platform/variables.h"

#include <cstdlib>

namespace weft::core {

std::optional<std::string> environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? std::optional<std::string>(value) : std::nullopt;
}

std::filesystem::path caches_folder() {
  // The rules for XDG base directories have relative paths ignored.
  if (const std::string caches = environment_variable("XDG_CACHE_HOME").value_or(""); caches.starts_with('/')) {
    return caches;
  }
  if (const std::string home = environment_variable("HOME").value_or(""); home.starts_with('/')) {
    return std::filesystem::path(home) / ".cache";
  }
  return {};
}

const char* const caches_folder_variables = "XDG_CACHE_HOME nor HOME";

const char path_separator = ':';

const char* const usual_program_folders = "/usr/local/bin:/usr/bin:/bin";

}  // namespace weft::core
