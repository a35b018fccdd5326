#pragma once

#include <string_view>

#include "core/src/platform/windows/system.h"

namespace weft::support {

// Names of the standard streams, as Linux has them.
inline constexpr std::string_view standard_input = "/dev/stdin", standard_output = "/dev/stdout",
                                  standard_error = "/dev/stderr";

/// Duplicates one of GetStdHandle().
inline core::Handle duplicate_stream(DWORD which) {
  HANDLE duplicate = INVALID_HANDLE_VALUE;
  const HANDLE process = GetCurrentProcess();
  if (!DuplicateHandle(process, GetStdHandle(which), process, &duplicate, 0, FALSE, DUPLICATE_SAME_ACCESS))
    core::fail();
  return core::owned(duplicate);
}

inline bool is_on_disk(const core::Handle& opened) { return GetFileType(core::native(opened)) == FILE_TYPE_DISK; }

}  // namespace weft::support
