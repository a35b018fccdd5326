#pragma once

#include <filesystem>
#include <string>

#include <weft/kernel_cache.h>

#include "core/src/platform/files.h"

namespace weft::core {

/// Entries kept as files in one folder, shared by every process of a user and made for that user alone. Stateless
/// except for the folder's name. A file that others can change, a link or anything else but a plain file is a miss.
///
/// Where the folder cannot be read or written, or others can write it, throws io_failed if a user named the folder, and
/// CacheUnusable if it is the default one. An empty default path means that the environment names no folder.
class DiskCache final : public KernelCache {
 public:
  enum class Named { by_user, by_default };
  DiskCache(std::filesystem::path folder, Named named) : folder_(std::move(folder)), named_(named) {}

  std::optional<std::vector<std::byte>> load(std::string_view kind, std::string_view key) override;
  /// Readers see the old file or the new one.
  void store(std::string_view kind, std::string_view key, std::span<const std::byte> bytes) override;

 private:
  /// Throws std::system_error where the folder cannot be opened.
  Folder open_folder() const;
  [[noreturn]] void fail(const std::string& what) const;

  const std::filesystem::path folder_;
  const Named named_;
};

}  // namespace weft::core
