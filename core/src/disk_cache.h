#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::core {

/// Names a cache entry by the content it was made from. Add everything that shaped the entry, in a fixed order; each
/// part counts with its length, so ("ab", "c") and ("a", "bc") differ.
class CacheKey {
 public:
  CacheKey& add(std::span<const std::byte> bytes);
  CacheKey& add(std::string_view text) { return add(std::as_bytes(std::span(text))); }
  CacheKey& add(const char* text) { return add(std::string_view(text)); }
  CacheKey& add(uint64_t number) { return add(std::as_bytes(std::span(&number, 1))); }

  /// 32 hexadecimal digits.
  std::string hex() const;
  bool operator==(const CacheKey&) const = default;

 private:
  uint64_t low_ = 0, high_ = 0;  // A chain of 128-bit XXH3 hashes.
};

/// Entries kept as files in one folder, shared by every process of a user. Stateless beside the folder's name, so it is
/// thread-safe and cheap to copy. Whatever is wrong with a file (torn, truncated, corrupt, another version's), it is a
/// miss.
class DiskCache {
 public:
  explicit DiskCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// The user's cache: $WEFT_CACHE_DIR (set but empty turns the cache off), else $XDG_CACHE_HOME/weft, else
  /// $HOME/.cache/weft; nullopt when it is off or none of them is set. Reads the environment at each call.
  static std::optional<DiskCache> from_environment();

  /// The bytes stored under `kind` (a word such as "spirv") and `key`, or nullopt.
  std::optional<std::vector<std::byte>> load(std::string_view kind, const CacheKey& key) const;

  /// Stores or replaces an entry at once: readers see the old file or the new one. Throws Error(io_failed) naming the
  /// folder, the reason and how to turn the cache off when the folder cannot be made or written.
  void store(std::string_view kind, const CacheKey& key, std::span<const std::byte> payload) const;

  const std::filesystem::path& folder() const { return folder_; }
  /// The file of an entry, whether it exists or not.
  std::filesystem::path file(std::string_view kind, const CacheKey& key) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace weft::core
