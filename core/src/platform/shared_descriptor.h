#pragma once

#include "core/src/platform/handle.h"

namespace weft::core {

/// Duplicates a file descriptor by which devices share memory or a semaphore. Throws invalid_argument if it is not
/// open, and unsupported on a system whose drivers share by other means. `what` starts the error.
Handle duplicate_descriptor(const char* what, int fd);

}  // namespace weft::core
