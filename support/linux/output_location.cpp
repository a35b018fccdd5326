#include "support/output_location.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <system_error>
#include <utility>

#include <weft/error.h>

#include "core/src/platform/linux/descriptor.h"

namespace weft::support {
namespace {

constexpr int most_links = 40;  // the system's limit

[[noreturn]] void fail(int error) { throw std::system_error(error, std::generic_category()); }

int descriptor_of(const core::Folder& folder) { return core::descriptor(folder.handle()); }

// Read before any thread exists: threads would create files under the temporary mask.
const mode_t new_file_mode = [] {
  const mode_t mask = ::umask(077);
  ::umask(mask);
  return mode_t(0666 & ~mask);
}();

// Opens the location itself, even if it is a link. Returns nothing if no file has that name.
core::Handle open_as_it_is(const OutputLocation& location) {
  const int number = ::openat(descriptor_of(location.folder), location.name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (number < 0 && errno != ENOENT) fail(errno);
  return core::Handle(number);
}

// Accepts links of this user, of root, and of the folder's owner, who controls its contents. The system applies the
// same rule to folders such as /tmp, unless it is turned off.
void require_trusted(const struct stat& link, const OutputLocation& location) {
  if (link.st_uid == 0 || link.st_uid == ::geteuid() || link.st_uid == core::status_of(location.folder.handle()).st_uid)
    return;
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
  const int from = location.folder.handle() ? descriptor_of(location.folder) : AT_FDCWD;
  location.folder = core::Folder(core::open_at(from, parent.string(), O_PATH | O_DIRECTORY));
  location.folder_path = to.has_parent_path() ? location.folder_path / parent : location.folder_path;
  location.name = to.filename().string();
}

// The names of /proc/self/fd look like links, and are open files.
bool is_in_proc(const core::Folder& folder) {
  struct statfs system{};
  return ::fstatfs(descriptor_of(folder), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

OutputLocation::Kind kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return OutputLocation::Kind::folder;
  return S_ISREG(mode) ? OutputLocation::Kind::plain_file : OutputLocation::Kind::stream;
}

void describe(OutputLocation& location, const core::Handle& there) {
  const struct stat folder = core::status_of(location.folder.handle());
  location.identity = {.folder_device = folder.st_dev, .folder = folder.st_ino, .name = location.name};
  location.permissions = std::filesystem::perms(new_file_mode);
  if (!there) return;
  const struct stat file = core::status_of(there);
  location.kind = kind_of(file.st_mode);
  location.identity.device = file.st_dev;
  location.identity.file = file.st_ino;
  location.permissions = std::filesystem::perms(file.st_mode & 0777);
}

// Duplicates this process's descriptor `number` if it refers to the same file and is writable; otherwise nothing.
core::Handle shared_with(const std::string& number, const core::Handle& file) {
  int own = -1;
  const char* const end = number.data() + number.size();
  if (std::from_chars(number.data(), end, own).ptr != end) return {};
  const int mode = ::fcntl(own, F_GETFL);
  struct stat status{};
  if (mode < 0 || (mode & O_ACCMODE) == O_RDONLY || ::fstat(own, &status) != 0) return {};
  const struct stat wanted = core::status_of(file);
  if (status.st_dev != wanted.st_dev || status.st_ino != wanted.st_ino) return {};
  return core::Handle(::fcntl(own, F_DUPFD_CLOEXEC, 0));
}

}  // namespace

OutputLocation find_location(const std::filesystem::path& target) {
  OutputLocation location;
  step(location, target);
  for (int links = 0; links <= most_links; ++links) {
    if (location.name.empty() || location.name == "." || location.name == "..") fail(EISDIR);
    const core::Handle there = open_as_it_is(location);
    const bool is_link = there && S_ISLNK(core::status_of(there).st_mode);
    if (!is_link || is_in_proc(location.folder)) {
      describe(location, there);
      return location;
    }
    require_trusted(core::status_of(there), location);
    step(location, destination(there));
  }
  fail(ELOOP);
}

void require_writable(const OutputLocation& location) {
  if (::faccessat(descriptor_of(location.folder), location.name.c_str(), W_OK, AT_EACCESS) != 0) fail(errno);
}

core::Handle open_stream(const OutputLocation& location) {
  const bool in_proc = is_in_proc(location.folder);
  // Appends, in case the shell opened the file for >> or it already has contents.
  const int flags = in_proc ? O_APPEND : O_NOFOLLOW;
  core::Handle file = core::open_at(descriptor_of(location.folder), location.name, O_WRONLY | O_NOCTTY | flags);
  if (!in_proc) return file;
  // Printed and written output share one file offset, so that neither overwrites the other.
  std::fflush(stdout);
  if (core::Handle shared = shared_with(location.name, file)) return shared;
  return file;
}

std::optional<FileIdentity> file_behind(const core::Handle& stream) {
  const struct stat status = core::status_of(stream);
  if (!S_ISREG(status.st_mode)) return std::nullopt;
  return FileIdentity{.device = status.st_dev, .file = status.st_ino};
}

}  // namespace weft::support
