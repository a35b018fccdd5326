#pragma once

#ifndef NOMINMAX
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <filesystem>
#include <string>

#include "core/src/platform/handle.h"

namespace weft::core {

// The system's functions and errors behind handles, for the sources of this folder. Functions with a W take UTF-16.

/// Throws std::system_error with the system's error code.
[[noreturn]] void fail(DWORD error = GetLastError());

inline HANDLE native(const Handle& handle) {
  return reinterpret_cast<HANDLE>(handle.number());  // NOLINT(performance-no-int-to-ptr)
}
inline Handle owned(HANDLE handle) { return Handle(reinterpret_cast<intptr_t>(handle)); }

/// CreateFileW() of a file that exists.
Handle open_existing(const std::filesystem::path& path, DWORD access, DWORD sharing, DWORD flags = 0);

/// FILE_ATTRIBUTE_..., also of a standard stream that is a file, for which Wine 8.0 has no
/// GetFileInformationByHandle().
DWORD attributes_of(const Handle& opened);

/// The path of an open file or folder, without a limit on its length.
std::filesystem::path path_of(const Handle& opened);

}  // namespace weft::core
