#pragma once

#include <string>

#include "core/src/platform/files.h"

namespace weft::support {

// What a system gives for inputs: in linux/ and windows/.

/// Opens a file, a pipe, or standard input: "/dev/stdin" on every system. Throws std::system_error.
core::OpenedFile open_input(const std::string& name);

/// Why it cannot be read to its end, in words: it is a folder, or a device that may never end, other than terminals,
/// disks and /dev/null. Empty if it can be.
std::string why_unreadable(const core::OpenedFile& opened);

}  // namespace weft::support
