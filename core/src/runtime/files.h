#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weft::core {

// Files by descriptor. Failures throw std::system_error with the system's error code.

/// Owns a file descriptor and closes it.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  struct stat status() const;
  /// Closes the file after writing. Some file systems report write errors only here.
  void close();
  /// Gives up ownership and returns the descriptor.
  int release() { return std::exchange(number_, -1); }

 private:
  int number_ = -1;
};

/// Creates a folder and its missing parents, accessible to this user alone. Does not change existing folders.
void make_private_folder(const std::filesystem::path& folder);

/// openat(), with O_CLOEXEC.
Descriptor open_at(int folder, const std::string& name, int flags, mode_t mode = 0);

/// Reads until `data` is full or the file ends. Returns the number of bytes read.
size_t read_up_to(const Descriptor& file, std::span<std::byte> data);
/// Appends the rest of the file to `data`. Throws EFBIG if that makes more than `most` bytes.
std::vector<std::byte> read_rest(const Descriptor& file, std::vector<std::byte> data = {}, size_t most = SIZE_MAX);
void write_all(const Descriptor& file, std::span<const std::byte> data);

/// A name for a temporary file with 64 random bits, so that nobody can guess it.
std::string unguessable_name();

/// A temporary file that only this user can read. move_to() gives it its final name; otherwise it is removed.
class NewFile {
 public:
  /// Creates `name` in `folder`. Fails if the name exists.
  explicit NewFile(Descriptor folder, std::string name = unguessable_name());
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::span<const std::byte> data) { write_all(file_, data); }
  /// Closes the file, sets its mode and renames it to `name`, replacing a file of that name.
  void move_to(const std::string& name, mode_t mode);

  const Descriptor& folder() const { return folder_; }
  const std::string& name() const { return name_; }

 private:
  Descriptor folder_, file_;
  std::string name_;
};

}  // namespace weft::core
