#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace weft::core {

// Files by their descriptors. Whatever fails throws std::system_error with the system's number for it.

/// A descriptor that is closed when the object goes.
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
  /// For what was written: some file systems tell only here that it could not be.
  void close();

 private:
  int number_ = -1;
};

/// Makes a folder, and those above it that are missing, which this user alone may enter. One that is there stays as it
/// is.
void make_private_folder(const std::filesystem::path& folder);

/// openat(), with O_CLOEXEC.
Descriptor open_at(int folder, const std::string& name, int flags, mode_t mode = 0);

/// Fills `data`, or as much of it as the file still has. Returns how much that is.
size_t read_up_to(const Descriptor& file, std::span<std::byte> data);
/// What the file still has, behind `data`.
std::vector<std::byte> read_rest(const Descriptor& file, std::vector<std::byte> data = {});
void write_all(const Descriptor& file, std::span<const std::byte> data);

/// A name for a temporary file that nobody can guess: 64 random bits in it.
std::string unguessable_name();

/// A temporary file that only this user can read, until move_to() gives it its final name. Removed if that never
/// happens.
class NewFile {
 public:
  /// Creates `name` in the folder of that descriptor. Fails if the name is taken.
  explicit NewFile(Descriptor folder, std::string name = unguessable_name());
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::span<const std::byte> data) { write_all(file_, data); }
  /// Closes the file, gives it `mode` and puts it in the place of what has that name in the folder.
  void move_to(const std::string& name, mode_t mode);

  const Descriptor& folder() const { return folder_; }
  const std::string& name() const { return name_; }

 private:
  Descriptor folder_, file_;
  std::string name_;
};

}  // namespace weft::core
