#include "core/src/platform/files.h"

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "core/src/platform/linux/descriptor.h"

namespace weft::core {

OpenedFile::OpenedFile(const std::filesystem::path& file) : handle_(open_at(AT_FDCWD, file.native(), O_RDONLY)) {}

OpenedFile OpenedFile::at_once(const std::filesystem::path& file) {
  return OpenedFile(open_at(AT_FDCWD, file.native(), O_RDONLY | O_NONBLOCK));
}

bool OpenedFile::is_plain() const { return S_ISREG(status_of(handle_).st_mode); }

uint64_t OpenedFile::bytes() const { return static_cast<uint64_t>(status_of(handle_).st_size); }

Folder::Folder(const std::filesystem::path& folder)
    : handle_(open_at(AT_FDCWD, folder.native(), O_RDONLY | O_DIRECTORY)) {}

OpenedFile Folder::open(const std::string& name) const {
  return OpenedFile(open_at(descriptor(handle_), name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
}

NewFile::NewFile(Folder folder, std::string name)
    : folder_(std::move(folder)),
      file_(open_at(descriptor(folder_.handle()), name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600)),
      name_(std::move(name)) {}

NewFile::~NewFile() {
  if (!name_.empty()) unlinkat(descriptor(folder_.handle()), name_.c_str(), 0);
}

void NewFile::move_to(const std::string& name, std::filesystem::perms permissions) {
  if (fchmod(descriptor(file_), static_cast<mode_t>(permissions)) != 0) fail();
  file_.close();
  const int folder = descriptor(folder_.handle());
  if (renameat(folder, name_.c_str(), folder, name.c_str()) != 0) fail();
  name_.clear();
}

bool create_private_folder(const std::filesystem::path& folder) {
  if (mkdir(folder.c_str(), 0700) == 0) return true;
  if (errno != EEXIST) fail();
  return false;
}

bool remove_at_once(const std::filesystem::path& path) noexcept { return ::remove(path.c_str()) == 0; }

void append_to_file(const std::filesystem::path& file, std::span<const std::byte> data) {
  Handle opened = open_at(AT_FDCWD, file.native(), O_WRONLY | O_APPEND | O_CREAT, 0644);
  write_all(opened, data);
  opened.close();
}

void write_program(const std::filesystem::path& file, std::span<const std::byte> data) {
  Handle opened = open_at(AT_FDCWD, file.native(), O_WRONLY | O_CREAT | O_TRUNC, 0700);
  write_all(opened, data);
  opened.close();
}

size_t read_some(const Handle& file, std::span<std::byte> data) {
  ssize_t got = -1;
  do {
    got = ::read(descriptor(file), data.data(), data.size());
  } while (got < 0 && errno == EINTR);
  if (got < 0) fail();
  return static_cast<size_t>(got);
}

size_t write_some(const Handle& file, std::span<const std::byte> data) {
  ssize_t written = -1;
  do {
    written = ::write(descriptor(file), data.data(), data.size());
  } while (written < 0 && errno == EINTR);
  if (written < 0) fail();
  return static_cast<size_t>(written);
}

uint64_t unguessable_number() {
  uint64_t number = 0;
  while (getrandom(&number, sizeof(number), 0) != sizeof(number)) {
    if (errno != EINTR) fail();
  }
  return number;
}

}  // namespace weft::core
