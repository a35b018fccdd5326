#include <system_error>

#include "core/src/platform/windows/system.h"

namespace weft::core {

void fail(DWORD error) { throw std::system_error(static_cast<int>(error), std::system_category()); }

Handle::~Handle() {
  if (*this) CloseHandle(native(*this));
}

void Handle::close() {
  if (!CloseHandle(reinterpret_cast<HANDLE>(release()))) fail();
}

Handle open_existing(const std::filesystem::path& path, DWORD access, DWORD sharing, DWORD flags) {
  Handle opened = owned(CreateFileW(path.c_str(), access, sharing, nullptr, OPEN_EXISTING, flags, nullptr));
  if (!opened) fail();
  return opened;
}

DWORD attributes_of(const Handle& opened) {
  FILE_BASIC_INFO info{};
  if (!GetFileInformationByHandleEx(native(opened), FileBasicInfo, &info, sizeof(info))) fail();
  return info.FileAttributes;
}

std::filesystem::path path_of(const Handle& opened) {
  std::wstring path;
  for (DWORD room = MAX_PATH;;) {
    path.resize(room);
    const DWORD length = GetFinalPathNameByHandleW(native(opened), path.data(), room, FILE_NAME_NORMALIZED);
    if (length == 0) fail();
    path.resize(length);  // of the path, or the room that it needs
    if (length < room) return path;
    room = length;
  }
}

}  // namespace weft::core
