#include "support/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <weft/error.h>

#include "core/src/platform/files.h"
#include "core/src/platform/linux/descriptor.h"
#include "support/interruption.h"
#include "support/output_location.h"

namespace weft::support {
namespace {

[[noreturn]] void throw_unwritable(const std::filesystem::path& path, const std::string& why) {
  throw Error(ErrorCode::io_failed, "cannot write " + path.string() + ": " + why);
}

// Read before any thread exists: threads would create files under the temporary mask.
const mode_t new_file_mode = [] {
  const mode_t mask = ::umask(077);
  ::umask(mask);
  return mode_t(0666 & ~mask);
}();

// Identifies a file by its folder and name and, if it exists, by its inode, since it may have other names.
struct Identity {
  dev_t folder_device = 0, device = 0;
  ino_t folder = 0, file = 0;  // no file has number 0
  std::string name;

  bool is_same(const Identity& other) const {
    if (file != 0 && file == other.file && device == other.device) return true;
    return !name.empty() && name == other.name && folder == other.folder && folder_device == other.folder_device;
  }
};

Identity identity_of(const OutputLocation& location) {
  const struct stat folder = core::status_of(location.folder);
  Identity identity{folder.st_dev, 0, folder.st_ino, 0, location.name};
  if (location.file) {
    identity.device = location.file->st_dev;
    identity.file = location.file->st_ino;
  }
  return identity;
}

std::vector<const Identity*> outputs;  // open ones; the command opens them on one thread

// While one exists, no other output may go to the same file.
class Claim {
 public:
  Claim(Identity identity, const std::filesystem::path& target) : identity_(std::move(identity)) {
    for (const Identity* other : outputs) {
      if (!identity_.is_same(*other)) continue;
      throw Error(
          ErrorCode::invalid_argument,
          "cannot write " + target.string() + ": another output goes to the same file; give each output its own file");
    }
    outputs.push_back(&identity_);
  }
  Claim(const Claim&) = delete;
  ~Claim() { std::erase(outputs, &identity_); }

 private:
  const Identity identity_;
};

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

// A file that is written directly: a device, a pipe, or the target of a redirected standard output.
struct Direct {
  core::Handle file;
  std::optional<Claim> claim;

  Direct(const OutputLocation& location, const std::filesystem::path& target) {
    // Appends, in case the shell opened the file for >> or it already has contents.
    const int flags = location.in_proc ? O_APPEND : O_NOFOLLOW;
    file = core::open_at(core::descriptor(location.folder), location.name, O_WRONLY | O_NOCTTY | flags);
    if (location.in_proc) {
      // Printed and written output share one file offset, so that neither overwrites the other.
      std::fflush(stdout);
      if (core::Handle shared = shared_with(location.name, file)) file = std::move(shared);
    }
    const struct stat status = core::status_of(file);
    if (S_ISREG(status.st_mode)) claim.emplace(Identity{0, status.st_dev, 0, status.st_ino, {}}, target);
  }
};

// A temporary file that replaces the target. The signal handler knows its name before it is created and until it is
// gone, so no signal leaves it behind.
struct Replacement {
  Claim claim;
  std::string temporary = core::unguessable_name();
  UnfinishedFile unfinished;
  core::NewFile file;
  std::filesystem::path folder_path;
  std::string name;
  std::filesystem::perms mode;

  Replacement(OutputLocation location, const std::filesystem::path& target)
      : claim(identity_of(location), target),
        unfinished(core::descriptor(location.folder), temporary.c_str()),
        file(core::Folder(std::move(location.folder)), temporary),
        folder_path(std::move(location.folder_path)),
        name(std::move(location.name)),
        mode(std::filesystem::perms(location.file ? location.file->st_mode & 0777 : new_file_mode)) {}
};

}  // namespace

struct OutputFile::Open {
  std::optional<Direct> direct;
  std::optional<Replacement> replacement;
};

OutputFile::OutputFile(std::filesystem::path target) : target_(std::move(target)), open_(std::make_unique<Open>()) {
  try {
    OutputLocation location = find_location(target_);
    if (location.file && S_ISDIR(location.file->st_mode)) throw_unwritable(target_, "it is a folder");
    if (location.file && !S_ISREG(location.file->st_mode)) {
      open_->direct.emplace(location, target_);
      return;
    }
    if (location.file && ::faccessat(core::descriptor(location.folder), location.name.c_str(), W_OK, AT_EACCESS) != 0) {
      throw std::system_error(errno, std::generic_category());
    }
    open_->replacement.emplace(std::move(location), target_);
  } catch (const std::system_error& error) {
    throw_unwritable(target_, error.code().message());
  }
}

OutputFile::OutputFile(OutputFile&& other) noexcept = default;

OutputFile::~OutputFile() = default;

void OutputFile::write(std::span<const std::byte> data) try {
  if (open_->direct) {
    core::write_all(open_->direct->file, data);
  } else {
    open_->replacement->file.write(data);
  }
} catch (const std::system_error& error) {
  throw_unwritable(target_, error.code().message());
}

void OutputFile::commit() try {
  if (open_->direct) {
    open_->direct->file.close();
  } else {
    open_->replacement->file.move_to(open_->replacement->name, open_->replacement->mode);
  }
  open_->direct.reset();
  open_->replacement.reset();
} catch (const std::system_error& error) {
  throw_unwritable(target_, error.code().message());
}

std::filesystem::path OutputFile::temporary() const {
  if (!open_->replacement) return {};
  return open_->replacement->folder_path / open_->replacement->file.name();
}

void require_other_file(const std::string& output, const std::string& input, const std::string& what) {
  std::error_code missing;
  if (!std::filesystem::is_regular_file(output, missing) || !std::filesystem::equivalent(output, input, missing))
    return;
  throw Error(ErrorCode::invalid_argument,
              "cannot write " + output + ": it is " + what + ", which would be overwritten; name another file");
}

std::optional<OutputFile> open_output(const std::string& name) {
  if (name.empty()) return std::nullopt;
  return OutputFile(name);
}

}  // namespace weft::support
