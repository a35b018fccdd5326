#include "core/src/platform/shared_descriptor.h"

#include <fcntl.h>

#include <string>

#include <weft/error.h>

namespace weft::core {

Handle duplicate_descriptor(const char* what, int fd) {
  Handle duplicate(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
  if (duplicate) return duplicate;
  throw Error(ErrorCode::invalid_argument,
              std::string(what) + ": " + std::to_string(fd) + " is not an open file descriptor");
}

}  // namespace weft::core
