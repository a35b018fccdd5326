#include "core/src/runtime/files.h"

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <system_error>
#include <utility>

namespace weft::core {
namespace {

[[noreturn]] void fail() { throw std::system_error(errno, std::generic_category()); }

}  // namespace

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

struct stat Descriptor::status() const {
  struct stat status{};
  if (fstat(number_, &status) != 0) fail();
  return status;
}

void Descriptor::close() {
  // Linux has closed the descriptor even if it reports EINTR.
  if (::close(std::exchange(number_, -1)) != 0 && errno != EINTR) fail();
}

void make_private_folder(const std::filesystem::path& folder) {
  if (std::filesystem::is_directory(folder)) return;
  if (folder.has_parent_path() && folder.parent_path() != folder) make_private_folder(folder.parent_path());
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) fail();
}

Descriptor open_at(int folder, const std::string& name, int flags, mode_t mode) {
  int number = -1;
  do {
    number = openat(folder, name.c_str(), flags | O_CLOEXEC, mode);
  } while (number < 0 && errno == EINTR);
  if (number < 0) fail();
  return Descriptor(number);
}

size_t read_up_to(const Descriptor& file, std::span<std::byte> data) {
  size_t done = 0;
  while (done < data.size()) {
    const ssize_t got = ::read(file.number(), data.data() + done, data.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail();
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

std::vector<std::byte> read_rest(const Descriptor& file, std::vector<std::byte> data, size_t most) {
  const struct stat status = file.status();
  // The size of a file is only a first guess: pipes and files in /proc report none.
  constexpr size_t first = size_t(64) << 10, later = size_t(16) << 20;
  size_t chunk = S_ISREG(status.st_mode) && size_t(status.st_size) < later ? size_t(status.st_size) + 1 : first;
  for (size_t used = data.size();; chunk = later) {
    data.resize(used + chunk);
    const size_t got = read_up_to(file, std::span(data).subspan(used));
    used += got;
    if (used > most) throw std::system_error(EFBIG, std::generic_category());
    if (got == chunk) continue;
    data.resize(used);
    return data;
  }
}

void write_all(const Descriptor& file, std::span<const std::byte> data) {
  while (!data.empty()) {
    const ssize_t written = ::write(file.number(), data.data(), data.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    data = data.subspan(static_cast<size_t>(written));
  }
}

std::string unguessable_name() {
  uint64_t number = 0;
  while (getrandom(&number, sizeof(number), 0) != sizeof(number)) {
    if (errno != EINTR) fail();
  }
  char name[32];
  std::snprintf(name, sizeof(name), "weft-%016llx.tmp", static_cast<unsigned long long>(number));
  return name;
}

NewFile::NewFile(Descriptor folder, std::string name)
    : folder_(std::move(folder)),
      file_(open_at(folder_.number(), name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600)),
      name_(std::move(name)) {}

NewFile::~NewFile() {
  if (!name_.empty()) unlinkat(folder_.number(), name_.c_str(), 0);
}

void NewFile::move_to(const std::string& name, mode_t mode) {
  if (fchmod(file_.number(), mode) != 0) fail();
  file_.close();
  if (renameat(folder_.number(), name_.c_str(), folder_.number(), name.c_str()) != 0) fail();
  name_.clear();
}

}  // namespace weft::core
