#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace weft::host {

/// A folder of the system's temporary ones that only this user can see, gone with all in it when the object goes.
class TemporaryFolder {
 public:
  /// Throws Error(io_failed) naming the folder that it cannot be made in.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Throws Error(io_failed).
  void write(const std::filesystem::path& file, std::span<const std::byte> bytes) const;

 private:
  std::filesystem::path path_;
};

/// All bytes of a file. Throws Error(io_failed).
std::string read_text(const std::filesystem::path& file);

}  // namespace weft::host
