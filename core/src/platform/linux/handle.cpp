#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "core/src/platform/linux/descriptor.h"

namespace weft::core {

void fail() { throw std::system_error(errno, std::generic_category()); }

Handle::~Handle() {
  if (*this) ::close(descriptor(*this));
}

void Handle::close() {
  // Linux has closed the descriptor even if it reports EINTR.
  if (::close(static_cast<int>(release())) != 0 && errno != EINTR) fail();
}

struct stat status_of(const Handle& handle) {
  struct stat status{};
  if (fstat(descriptor(handle), &status) != 0) fail();
  return status;
}

Handle open_at(int folder, const std::string& name, int flags, mode_t mode) {
  int number = -1;
  do {
    number = openat(folder, name.c_str(), flags | O_CLOEXEC, mode);
  } while (number < 0 && errno == EINTR);
  if (number < 0) fail();
  return Handle(number);
}

}  // namespace weft::core
