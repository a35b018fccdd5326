#include "support/input_source.h"

#include "core/src/platform/utf8.h"
#include "support/windows/streams.h"

namespace weft::support {

core::OpenedFile open_input(const std::string& name) {
  if (name == standard_input) return core::OpenedFile(duplicate_stream(STD_INPUT_HANDLE));
  constexpr DWORD share_all = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  constexpr DWORD also_folders = FILE_FLAG_BACKUP_SEMANTICS;
  return core::OpenedFile(core::open_existing(core::utf8_path(name), GENERIC_READ, share_all, also_folders));
}

std::string why_unreadable(const core::OpenedFile& opened) {
  const bool is_folder =
      is_on_disk(opened.handle()) && (core::attributes_of(opened.handle()) & FILE_ATTRIBUTE_DIRECTORY) != 0;
  return is_folder ? "it is a folder" : "";
}

}  // namespace weft::support
