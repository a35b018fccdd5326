#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "core/src/platform/handle.h"

namespace weft::core {

// Descriptors behind handles, for the sources of this folder and for the command's outputs.

/// Throws std::system_error with errno.
[[noreturn]] void fail();

inline int descriptor(const Handle& handle) { return static_cast<int>(handle.number()); }

struct stat status_of(const Handle& handle);

/// openat(), with O_CLOEXEC.
Handle open_at(int folder, const std::string& name, int flags, mode_t mode = 0);

}  // namespace weft::core
