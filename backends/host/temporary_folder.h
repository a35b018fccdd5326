#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace weft::host {

/// A temporary folder that only this user can access. Removed with its contents when the object is destroyed.
class TemporaryFolder {
 public:
  /// Throws io_failed, naming the parent folder.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Throws io_failed.
  void write(const std::filesystem::path& file, std::span<const std::byte> bytes);
  /// Removes the folder now, as far as the system lets it; it has no path then.
  void remove();

 private:
  std::filesystem::path path_;
  std::vector<std::filesystem::path> written_;
};

/// Reads a whole file. Throws io_failed.
std::string read_text(const std::filesystem::path& file);

}  // namespace weft::host
