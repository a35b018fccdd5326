#include "output_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include <weft/error.h>

namespace weft::tools {
namespace {

[[noreturn]] void throw_errno(const std::string& what, const std::filesystem::path& path) {
  const int error = errno;
  throw Error(ErrorCode::io_failed, what + " " + path.string() + ": " + std::strerror(error));
}

// Where a chain of symbolic links ends, so that the link survives the rename.
std::filesystem::path resolve(const std::filesystem::path& path) {
  std::error_code error;
  const auto resolved = std::filesystem::weakly_canonical(path, error);
  return error || std::filesystem::symlink_status(path).type() != std::filesystem::file_type::symlink ? path : resolved;
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path target) : target_(std::move(target)) {
  std::error_code unreachable;  // which stat() tells
  if (std::filesystem::is_directory(target_, unreachable)) {
    throw Error(ErrorCode::io_failed, "cannot write " + target_.string() + ": it is a folder");
  }
  const std::filesystem::path real = resolve(target_);
  struct stat old {};
  const bool exists = ::stat(real.c_str(), &old) == 0;
  if (!exists && errno != ENOENT) throw_errno("cannot write", target_);
  if (exists && !S_ISREG(old.st_mode)) {
    file_ = std::fopen(real.c_str(), "wb");
    if (!file_) throw_errno("cannot write", target_);
    return;
  }
  if (exists && ::access(real.c_str(), W_OK) != 0) throw_errno("cannot write", target_);
  std::filesystem::path temporary = real;
  temporary += "." + std::to_string(::getpid()) + ".tmp";
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) throw_errno("cannot write", target_);
  // The lock tells another output's temporary from one that a killed process left behind.
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(descriptor);
    throw Error(ErrorCode::invalid_argument, "cannot write " + target_.string() +
                                                 ": another output goes to this file too; give each a file of its own");
  }
  if (::ftruncate(descriptor, 0) != 0) {
    ::close(descriptor);
    throw_errno("cannot write", target_);
  }
  temporary_ = std::move(temporary);
  if (exists) (void)::fchmod(descriptor, old.st_mode & 07777);
  file_ = ::fdopen(descriptor, "wb");
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      file_(std::exchange(other.file_, nullptr)) {}

OutputFile::~OutputFile() { discard(); }

void OutputFile::discard() {
  if (file_) std::fclose(std::exchange(file_, nullptr));
  if (!temporary_.empty()) ::unlink(std::exchange(temporary_, {}).c_str());
}

void OutputFile::write(std::span<const std::byte> data) {
  if (data.empty()) return;
  if (std::fwrite(data.data(), 1, data.size(), file_) != data.size()) throw_errno("cannot write", target_);
}

void OutputFile::commit() {
  if (file_ && std::fclose(std::exchange(file_, nullptr)) != 0) throw_errno("cannot write", target_);
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), resolve(target_).c_str()) != 0) throw_errno("cannot write", target_);
  temporary_.clear();
}

void require_other_file(const std::string& output, const std::string& input, const std::string& what) {
  std::error_code missing;
  if (!std::filesystem::is_regular_file(output, missing) || !std::filesystem::equivalent(output, input, missing))
    return;
  throw Error(ErrorCode::invalid_argument,
              "cannot write " + output + ": it is " + what + ", which would be lost; name another file");
}

std::optional<OutputFile> open_output(const std::string& name) {
  if (name.empty()) return std::nullopt;
  return OutputFile(name);
}

}  // namespace weft::tools
