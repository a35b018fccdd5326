#include "core/src/runtime/cache.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <type_traits>

#include "core/src/runtime/messages.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace weft::core {
namespace {

// The key is repeated here so that a renamed or colliding entry is a miss too.
struct Header {
  std::array<char, 8> magic{'W', 'E', 'F', 'T', 'C', 'A', 'C', 'H'};
  uint32_t version = 1;
  uint32_t header_bytes = sizeof(Header);
  std::array<char, 32> key{};
  uint64_t payload_bytes = 0;
  uint64_t checksum = 0;

  bool operator==(const Header&) const = default;
};
static_assert(sizeof(Header) == 64 && std::is_trivially_copyable_v<Header>);

Header header_of(std::string_view key, std::span<const std::byte> payload) {
  Header header;
  std::memcpy(header.key.data(), key.data(), header.key.size());
  header.payload_bytes = payload.size();
  header.checksum = XXH3_64bits(payload.data(), payload.size());
  return header;
}

}  // namespace

CacheKey& CacheKey::add(std::span<const std::byte> bytes) {
  const XXH128_hash_t part = XXH3_128bits(bytes.data(), bytes.size());
  const std::array<uint64_t, 5> link{low_, high_, part.low64, part.high64, bytes.size()};
  const XXH128_hash_t chained = XXH3_128bits(link.data(), sizeof(link));
  low_ = chained.low64;
  high_ = chained.high64;
  return *this;
}

CacheKey& CacheKey::add(std::span<const SpecializationValue> values) {
  add(values.size());
  for (const SpecializationValue& value : values) add(value.id).add(value.bytes).add(value.bits);
  return *this;
}

std::string CacheKey::hex() const {
  char digits[33];
  std::snprintf(digits, sizeof(digits), "%016llx%016llx", static_cast<unsigned long long>(high_),
                static_cast<unsigned long long>(low_));
  return digits;
}

std::optional<std::vector<std::byte>> Cache::find(std::string_view kind, const CacheKey& key) const {
  if (!entries_) return std::nullopt;
  const std::string name = key.hex();
  std::optional<std::vector<std::byte>> entry;
  try {
    entry = entries_->load(kind, name);
  } catch (const CacheUnusable& error) {
    warn(error);
  }
  Header header;
  if (!entry || entry->size() < sizeof(header)) return std::nullopt;
  std::memcpy(&header, entry->data(), sizeof(header));
  if (header != header_of(name, std::span(*entry).subspan(sizeof(header)))) return std::nullopt;
  entry->erase(entry->begin(), entry->begin() + sizeof(header));
  return entry;
}

void Cache::put(std::string_view kind, const CacheKey& key, std::span<const std::byte> payload) const {
  if (!entries_) return;
  const std::string name = key.hex();
  const Header header = header_of(name, payload);
  std::vector<std::byte> entry(sizeof(header) + payload.size());
  std::memcpy(entry.data(), &header, sizeof(header));
  std::ranges::copy(payload, entry.begin() + sizeof(header));
  try {
    entries_->store(kind, name, entry);
  } catch (const CacheUnusable& error) {
    warn(error);
  }
}

void Cache::warn(const CacheUnusable& error) const {
  static std::atomic_flag said;
  if (said.test_and_set()) return;
  report(messages_, MessageSeverity::warning,
         std::string(error.what()) + " Until then each process compiles its kernels anew.");
}

}  // namespace weft::core
