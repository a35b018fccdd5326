#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/src/platform/handle.h"
#include "core/src/platform/trust.h"

namespace weft::core {

// Files and folders. What is asked of an open one is asked of that very file, whatever has its name by now. Failures
// throw std::system_error with the system's error code.

/// A file that is open for reading.
class OpenedFile {
 public:
  /// Opening a pipe may wait for a writer.
  explicit OpenedFile(const std::filesystem::path& file);
  explicit OpenedFile(Handle handle) : handle_(std::move(handle)) {}
  /// For files that must be plain: waits for nobody.
  static OpenedFile at_once(const std::filesystem::path& file);

  /// Whether it is a file of the disk, not a folder, a pipe or a device.
  bool is_plain() const;
  /// Size of a plain file.
  uint64_t bytes() const;
  std::optional<std::string> who_else_changes() const { return core::who_else_changes(handle_); }
  /// Reads until `data` is full or the file ends. Returns the number of bytes read.
  size_t read_up_to(std::span<std::byte> data) const;
  /// Appends the rest of the file to `data`. Throws file_too_large if that makes more than `most` bytes.
  std::vector<std::byte> read_rest(std::vector<std::byte> data = {}, size_t most = SIZE_MAX) const;

  const Handle& handle() const { return handle_; }

 private:
  Handle handle_;
};

/// An open folder.
class Folder {
 public:
  explicit Folder(const std::filesystem::path& folder);
  explicit Folder(Handle handle) : handle_(std::move(handle)) {}

  std::optional<std::string> who_else_changes() const { return core::who_else_changes(handle_); }
  /// Opens a file in it, at once. Does not follow a link.
  OpenedFile open(const std::string& name) const;

  const Handle& handle() const { return handle_; }

 private:
  Handle handle_;
};

/// A name for a temporary file or folder with 64 random bits, so that nobody can guess it.
std::string unguessable_name(const char* suffix = ".tmp");

/// A temporary file that only this user can read. move_to() gives it its final name; otherwise it is removed.
class NewFile {
 public:
  /// Creates `name` in `folder`. Fails if the name exists.
  explicit NewFile(Folder folder, std::string name = unguessable_name());
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::span<const std::byte> data);
  /// Closes the file, gives it `permissions` and renames it to `name`, replacing a file of that name: readers see the
  /// old one or the new one. Windows keeps the permissions that the folder gives.
  void move_to(const std::string& name, std::filesystem::perms permissions);

  const std::string& name() const { return name_; }

 private:
  Folder folder_;
  Handle file_;
  std::string name_;
};

/// Creates a folder, accessible to this user alone. Returns false if there is something of that name.
bool create_private_folder(const std::filesystem::path& folder);

/// The same with its missing parents. Does not change existing folders.
void make_private_folder(const std::filesystem::path& folder);

/// Removes a file or an empty folder, for destructors: needs no memory. Returns false if the system refuses.
bool remove_at_once(const std::filesystem::path& path) noexcept;

/// Appends to a file, which is created if there is none. What several processes append at a time does not mix.
void append_to_file(const std::filesystem::path& file, std::span<const std::byte> data);

/// Writes a file that only this user can read and run, over one of that name.
void write_program(const std::filesystem::path& file, std::span<const std::byte> data);

void write_all(const Handle& file, std::span<const std::byte> data);

// The calls of the system that the functions above repeat.

/// Reads once. Returns the number of bytes read, 0 at the end of the file.
size_t read_some(const Handle& file, std::span<std::byte> data);
/// Writes once. Returns the number of bytes written.
size_t write_some(const Handle& file, std::span<const std::byte> data);
uint64_t unguessable_number();

}  // namespace weft::core
