#include "core/src/platform/variables.h"

#include "core/src/platform/utf8.h"
#include "core/src/platform/windows/system.h"

namespace weft::core {

std::optional<std::string> environment_variable(const char* name) {
  const std::wstring wide_name = utf8_path(name).native();
  std::wstring value;
  for (DWORD room = MAX_PATH;;) {
    value.resize(room);
    SetLastError(ERROR_SUCCESS);
    const DWORD length = GetEnvironmentVariableW(wide_name.c_str(), value.data(), room);
    if (length == 0 && GetLastError() != ERROR_SUCCESS) return std::nullopt;
    value.resize(length);  // of the value, or the room that it needs
    if (length < room) return utf8_text(value);
    room = length;
  }
}

std::filesystem::path caches_folder() {
  const std::filesystem::path folder = utf8_path(environment_variable("LOCALAPPDATA").value_or(""));
  return folder.is_absolute() ? folder : std::filesystem::path();
}

const char* const caches_folder_variables = "LOCALAPPDATA";

const char path_separator = ';';

const char* const usual_program_folders = "";

}  // namespace weft::core
