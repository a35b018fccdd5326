#include "support/output_location.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include <weft/error.h>

#include "core/src/platform/linux/descriptor.h"

namespace weft::support {
namespace {

constexpr int most_links = 40;  // the system's limit

[[noreturn]] void fail(int error) { throw std::system_error(error, std::generic_category()); }

// Opens the location itself, even if it is a link. Returns nothing if no file has that name.
core::Handle open_as_it_is(const OutputLocation& location) {
  const int number =
      ::openat(core::descriptor(location.folder), location.name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (number < 0 && errno != ENOENT) fail(errno);
  return core::Handle(number);
}

// Accepts links of this user, of root, and of the folder's owner, who controls its contents. The system applies the
// same rule to folders such as /tmp, unless it is turned off.
void require_trusted(const struct stat& link, const OutputLocation& location) {
  if (link.st_uid == 0 || link.st_uid == ::geteuid() || link.st_uid == core::status_of(location.folder).st_uid) return;
  throw Error(ErrorCode::io_failed, (location.folder_path / location.name).string() +
                                        " is a link that belongs to user " + std::to_string(link.st_uid) +
                                        "; if its target is meant, name that file");
}

std::filesystem::path destination(const core::Handle& link) {
  std::array<char, 4096> text;
  const ssize_t length = ::readlinkat(core::descriptor(link), "", text.data(), text.size());
  if (length < 0) fail(errno);
  return std::string(text.data(), size_t(length));
}

void step(OutputLocation& location, const std::filesystem::path& to) {
  const std::filesystem::path parent = to.has_parent_path() ? to.parent_path() : ".";
  // Looking up names through an O_PATH descriptor needs no permission to list the folder.
  location.folder = core::open_at(location.folder ? core::descriptor(location.folder) : AT_FDCWD, parent.string(),
                                  O_PATH | O_DIRECTORY);
  location.folder_path = to.has_parent_path() ? location.folder_path / parent : location.folder_path;
  location.name = to.filename().string();
}

bool is_in_proc(const core::Handle& folder) {
  struct statfs system{};
  return ::fstatfs(core::descriptor(folder), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

}  // namespace

OutputLocation find_location(const std::filesystem::path& target) {
  OutputLocation location;
  step(location, target);
  for (int links = 0; links <= most_links; ++links) {
    if (location.name.empty() || location.name == "." || location.name == "..") fail(EISDIR);
    const core::Handle there = open_as_it_is(location);
    if (!there) return location;
    location.file = core::status_of(there);
    if (!S_ISLNK(location.file->st_mode)) return location;
    location.in_proc = is_in_proc(location.folder);
    if (location.in_proc) return location;
    require_trusted(*location.file, location);
    location.file.reset();
    step(location, destination(there));
  }
  fail(ELOOP);
}

}  // namespace weft::support
