#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/src/runtime/files.h"

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

/// Entries kept as files in one folder, shared by every process of a user and made for that user alone. Stateless
/// beside the folder's name, so it is thread-safe and cheap to copy. Whatever is wrong with a file (torn, truncated,
/// corrupt, another version's, another user's, no file), it is a miss.
///
/// A folder that cannot be read or written, or that others can write, is an error where the user has named it:
/// Error(io_failed) with the folder, the reason and the way out. Of the default one a warning tells, once in a process,
/// and everything is a miss.
class DiskCache {
 public:
  enum class Named { by_user, by_default };
  DiskCache(std::filesystem::path folder, Named named) : folder_(std::move(folder)), named_(named) {}

  /// The user's cache: $WEFT_CACHE_DIR (set but empty turns the cache off), else $XDG_CACHE_HOME/weft, else
  /// $HOME/.cache/weft; nullopt when it is off or none of them is set. Reads the environment at each call.
  static std::optional<DiskCache> from_environment();

  /// The bytes stored under `kind` (a word such as "spirv") and `key`, or nullopt.
  std::optional<std::vector<std::byte>> load(std::string_view kind, const CacheKey& key) const;

  /// Stores or replaces an entry at once: readers see the old file or the new one.
  void store(std::string_view kind, const CacheKey& key, std::span<const std::byte> payload) const;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  static std::string name(std::string_view kind, const CacheKey& key);
  /// Nothing where others can write the folder. Throws std::system_error where it cannot be opened.
  Descriptor open_folder() const;
  void complain(const std::string& what) const;

  std::filesystem::path folder_;
  Named named_;
};

}  // namespace weft::core
