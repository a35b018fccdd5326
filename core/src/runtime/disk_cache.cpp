#include "core/src/runtime/disk_cache.h"

#include <fcntl.h>

#include <weft/error.h>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/src/runtime/messages.h"
#include "core/src/runtime/trust.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace weft::core {
namespace {

// In front of every payload. The key is repeated so that a renamed or colliding file is a miss too.
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

uint64_t checksum_of(std::span<const std::byte> payload) { return XXH3_64bits(payload.data(), payload.size()); }

Header header_of(const CacheKey& key, uint64_t payload_bytes, uint64_t checksum) {
  Header header;
  const std::string hex = key.hex();
  std::memcpy(header.key.data(), hex.data(), header.key.size());
  header.payload_bytes = payload_bytes;
  header.checksum = checksum;
  return header;
}

// Entries are SPIR-V and machine code; what says that it is larger is none.
constexpr uint64_t most_payload_bytes = uint64_t(1) << 30;

// The payload of an entry; nothing where the file is not just that entry.
std::optional<std::vector<std::byte>> read_entry(const Descriptor& file, const CacheKey& key) {
  const struct stat status = file.status();
  if (!S_ISREG(status.st_mode) || who_else_changes(status)) return std::nullopt;
  const auto bytes = static_cast<uint64_t>(status.st_size);
  Header header;
  if (bytes < sizeof(header) || read_up_to(file, std::as_writable_bytes(std::span(&header, 1))) != sizeof(header)) {
    return std::nullopt;
  }
  // The header is looked at before memory is taken for what it announces.
  if (header != header_of(key, header.payload_bytes, header.checksum) || header.payload_bytes > most_payload_bytes ||
      bytes != sizeof(header) + header.payload_bytes) {
    return std::nullopt;
  }
  std::vector<std::byte> payload(header.payload_bytes);
  if (read_up_to(file, payload) != payload.size() || checksum_of(payload) != header.checksum) return std::nullopt;
  return payload;
}

// Unset and empty are the same for the two standard variables; relative paths there are to be ignored (XDG base
// directories).
std::optional<std::filesystem::path> absolute_folder(const char* variable) {
  const char* value = std::getenv(variable);
  if (!value || value[0] != '/') return std::nullopt;
  return value;
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

std::string CacheKey::hex() const {
  char digits[33];
  std::snprintf(digits, sizeof(digits), "%016llx%016llx", static_cast<unsigned long long>(high_),
                static_cast<unsigned long long>(low_));
  return digits;
}

std::optional<DiskCache> DiskCache::from_environment() {
  if (const char* own = std::getenv("WEFT_CACHE_DIR")) {
    if (!*own) return std::nullopt;
    return DiskCache(own, Named::by_user);
  }
  if (const auto caches = absolute_folder("XDG_CACHE_HOME")) return DiskCache(*caches / "weft", Named::by_default);
  if (const auto home = absolute_folder("HOME")) return DiskCache(*home / ".cache" / "weft", Named::by_default);
  static std::atomic_flag said;
  warn_once(
      said,
      "There is no cache folder, because neither WEFT_CACHE_DIR nor XDG_CACHE_HOME nor HOME names one: each process "
      "compiles its kernels anew. WEFT_CACHE_DIR= says that this is meant.");
  return std::nullopt;
}

std::string DiskCache::name(std::string_view kind, const CacheKey& key) { return std::string(kind) + "-" + key.hex(); }

Descriptor DiskCache::open_folder() const {
  Descriptor folder = open_at(AT_FDCWD, folder_.string(), O_RDONLY | O_DIRECTORY);
  const auto reason = who_else_changes(folder.status());
  if (!reason) return folder;
  complain("is not used: it holds code that runs as this user, and " + *reason +
           ". Remove it, or make it this user's alone (chown, chmod go-w) if nobody else has put code there");
  return {};
}

void DiskCache::complain(const std::string& what) const {
  const std::string message = "The cache folder '" + folder_.string() + "' " + what +
                              ". Or set WEFT_CACHE_DIR to another folder, or WEFT_CACHE_DIR= to do without.";
  if (named_ == Named::by_user) throw Error(ErrorCode::io_failed, message);
  static std::atomic_flag said;
  warn_once(said, message + " Until then each process compiles its kernels anew.");
}

std::optional<std::vector<std::byte>> DiskCache::load(std::string_view kind, const CacheKey& key) const {
  Descriptor folder;
  try {
    folder = open_folder();
  } catch (const std::system_error& error) {
    // One that is not there is made when there is something to store.
    if (error.code() == std::errc::no_such_file_or_directory || error.code() == std::errc::not_a_directory) {
      return std::nullopt;
    }
    complain("cannot be opened: " + error.code().message() + ". Let this user read and enter it");
  }
  if (!folder) return std::nullopt;
  try {
    // A pipe in an entry's place is not waited for.
    return read_entry(open_at(folder.number(), name(kind, key), O_RDONLY | O_NOFOLLOW | O_NONBLOCK), key);
  } catch (const std::system_error&) {
    return std::nullopt;
  }
}

void DiskCache::store(std::string_view kind, const CacheKey& key, std::span<const std::byte> payload) const {
  if (payload.size() > most_payload_bytes) return;
  try {
    make_private_folder(folder_);
    Descriptor folder = open_folder();
    if (!folder) return;
    NewFile file(std::move(folder));
    const Header header = header_of(key, payload.size(), checksum_of(payload));
    file.write(std::as_bytes(std::span(&header, 1)));
    file.write(payload);
    file.move_to(name(kind, key), 0600);
  } catch (const std::system_error& error) {
    complain("cannot be written (" + name(kind, key) + "): " + error.code().message() + ". Make that possible");
  }
}

}  // namespace weft::core
