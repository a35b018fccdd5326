#include "support/input_source.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "core/src/platform/linux/descriptor.h"

namespace weft::support {

core::OpenedFile open_input(const std::string& name) { return core::OpenedFile(name); }

std::string why_unreadable(const core::OpenedFile& opened) {
  const struct stat status = core::status_of(opened.handle());
  if (S_ISDIR(status.st_mode)) return "it is a folder";
  const bool is_null = status.st_rdev == makedev(1, 3);
  if (S_ISCHR(status.st_mode) && !is_null && ::isatty(core::descriptor(opened.handle())) == 0) {
    return "it is a device, which may never end";
  }
  return "";
}

}  // namespace weft::support
