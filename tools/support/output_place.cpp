#include "support/output_place.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include <weft/error.h>

namespace weft::tools {
namespace {

constexpr int most_links = 40;  // as the system has it

[[noreturn]] void fail(int error) { throw std::system_error(error, std::generic_category()); }

// Nothing where nothing has that name.
core::Descriptor open_as_it_is(const OutputPlace& place) {
  const int number = ::openat(place.folder.number(), place.name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (number < 0 && errno != ENOENT) fail(errno);
  return core::Descriptor(number);
}

// Root's links and those of a folder's owner, who decides what is in it, are taken; the system has the same rule for
// folders such as /tmp, where it is not turned off.
void require_trusted(const struct stat& link, const OutputPlace& place) {
  if (link.st_uid == 0 || link.st_uid == ::geteuid() || link.st_uid == place.folder.status().st_uid) return;
  throw Error(ErrorCode::io_failed, (place.folder_path / place.name).string() + " is a link that belongs to user " +
                                        std::to_string(link.st_uid) +
                                        "; name the file that it leads to, if that is "
                                        "meant");
}

std::filesystem::path destination(const core::Descriptor& link) {
  std::array<char, 4096> text;
  const ssize_t length = ::readlinkat(link.number(), "", text.data(), text.size());
  if (length < 0) fail(errno);
  return std::string(text.data(), size_t(length));
}

void step(OutputPlace& place, const std::filesystem::path& to) {
  const std::filesystem::path parent = to.has_parent_path() ? to.parent_path() : ".";
  // A descriptor that is only looked up through needs no right to list the folder.
  place.folder = core::open_at(place.folder ? place.folder.number() : AT_FDCWD, parent.string(), O_PATH | O_DIRECTORY);
  place.folder_path = to.has_parent_path() ? place.folder_path / parent : place.folder_path;
  place.name = to.filename().string();
}

bool is_in_proc(const core::Descriptor& folder) {
  struct statfs system {};
  return ::fstatfs(folder.number(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

}  // namespace

OutputPlace find_place(const std::filesystem::path& target) {
  OutputPlace place;
  step(place, target);
  for (int links = 0; links <= most_links; ++links) {
    if (place.name.empty() || place.name == "." || place.name == "..") fail(EISDIR);
    const core::Descriptor there = open_as_it_is(place);
    if (!there) return place;
    place.file = there.status();
    if (!S_ISLNK(place.file->st_mode)) return place;
    place.in_proc = is_in_proc(place.folder);
    if (place.in_proc) return place;
    require_trusted(*place.file, place);
    place.file.reset();
    step(place, destination(there));
  }
  fail(ELOOP);
}

}  // namespace weft::tools
