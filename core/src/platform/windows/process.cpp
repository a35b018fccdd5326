#include "core/src/platform/process.h"

#include "core/src/platform/windows/system.h"

namespace weft::core {

uint64_t process_number() { return GetCurrentProcessId(); }

std::filesystem::path program_file() {
  std::wstring path;
  for (DWORD room = MAX_PATH;; room *= 2) {
    path.resize(room);
    const DWORD length = GetModuleFileNameW(nullptr, path.data(), room);
    if (length == 0) fail();
    if (length == room) continue;  // cut off
    path.resize(length);
    return path;
  }
}

}  // namespace weft::core
