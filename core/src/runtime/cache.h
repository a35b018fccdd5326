#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <weft/error.h>
#include <weft/kernel.h>
#include <weft/kernel_cache.h>
#include <weft/messages.h>

namespace weft::core {

/// Names a cache entry by the content it was made from. Add everything that shaped the entry, in a fixed order. Each
/// part counts with its length, so ("ab", "c") and ("a", "bc") differ.
class CacheKey {
 public:
  CacheKey& add(std::span<const std::byte> bytes);
  CacheKey& add(std::string_view text) { return add(std::as_bytes(std::span(text))); }
  CacheKey& add(const char* text) { return add(std::string_view(text)); }
  CacheKey& add(uint64_t number) { return add(std::as_bytes(std::span(&number, 1))); }
  CacheKey& add(std::span<const uint32_t> words) { return add(std::as_bytes(words)); }
  CacheKey& add(std::span<const SpecializationValue> values);

  /// 32 hexadecimal digits.
  std::string hex() const;
  auto operator<=>(const CacheKey&) const = default;

 private:
  uint64_t low_ = 0, high_ = 0;  // A chain of 128-bit XXH3 hashes.
};

/// Thrown by a default cache that cannot be used. Work continues without it.
class CacheUnusable : public Error {
 public:
  explicit CacheUnusable(const std::string& message) : Error(ErrorCode::io_failed, message) {}
};

/// A KernelCache as the library uses it; without one, every entry is missing. Puts a header with a checksum in front of
/// each entry; an entry that does not match its header counts as missing. Reports CacheUnusable once in a process;
/// other errors pass through.
class Cache {
 public:
  Cache() = default;
  Cache(std::shared_ptr<KernelCache> entries, MessageCallback messages)
      : entries_(std::move(entries)), messages_(std::move(messages)) {}

  explicit operator bool() const { return entries_ != nullptr; }

  std::optional<std::vector<std::byte>> find(std::string_view kind, const CacheKey& key) const;
  void put(std::string_view kind, const CacheKey& key, std::span<const std::byte> payload) const;

 private:
  void warn(const CacheUnusable& error) const;

  std::shared_ptr<KernelCache> entries_;
  MessageCallback messages_;
};

}  // namespace weft::core
