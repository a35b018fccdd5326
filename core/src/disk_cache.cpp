#include "core/src/disk_cache.h"

#include <fcntl.h>
#include <unistd.h>

#include <weft/error.h>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

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

Header header_of(const CacheKey& key, std::span<const std::byte> payload) {
  Header header;
  const std::string hex = key.hex();
  std::memcpy(header.key.data(), hex.data(), header.key.size());
  header.payload_bytes = payload.size();
  header.checksum = XXH3_64bits(payload.data(), payload.size());
  return header;
}

// A file being written under a name of its own; gone again unless it was moved into place.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target) : path_(target.string() + ".XXXXXX") {
    descriptor_ = mkostemp(path_.data(), O_CLOEXEC);
    if (descriptor_ < 0) throw std::system_error(errno, std::generic_category());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!path_.empty()) unlink(path_.c_str());
  }

  void write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw std::system_error(errno, std::generic_category());
      bytes = bytes.subspan(static_cast<size_t>(written));
    }
  }

  void move_to(const std::filesystem::path& target) {
    const int descriptor = std::exchange(descriptor_, -1);
    if (close(descriptor) != 0) throw std::system_error(errno, std::generic_category());
    if (std::rename(path_.c_str(), target.c_str()) != 0) throw std::system_error(errno, std::generic_category());
    path_.clear();
  }

 private:
  std::string path_;
  int descriptor_ = -1;
};

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
    return DiskCache(own);
  }
  if (const auto caches = absolute_folder("XDG_CACHE_HOME")) return DiskCache(*caches / "weft");
  if (const auto home = absolute_folder("HOME")) return DiskCache(*home / ".cache" / "weft");
  return std::nullopt;
}

std::filesystem::path DiskCache::file(std::string_view kind, const CacheKey& key) const {
  return folder_ / (std::string(kind) + "-" + key.hex());
}

std::optional<std::vector<std::byte>> DiskCache::load(std::string_view kind, const CacheKey& key) const {
  const std::filesystem::path path = file(kind, key);
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  const std::streamoff bytes = stream ? static_cast<std::streamoff>(stream.tellg()) : 0;
  if (bytes < static_cast<std::streamoff>(sizeof(Header))) return std::nullopt;

  Header header;
  std::vector<std::byte> payload(static_cast<size_t>(bytes) - sizeof(Header));
  stream.seekg(0);
  stream.read(reinterpret_cast<char*>(&header), sizeof(header));
  stream.read(reinterpret_cast<char*>(payload.data()), static_cast<std::streamsize>(payload.size()));
  if (!stream || header != header_of(key, payload)) return std::nullopt;
  return payload;
}

void DiskCache::store(std::string_view kind, const CacheKey& key, std::span<const std::byte> payload) const {
  try {
    std::filesystem::create_directories(folder_);
    const std::filesystem::path path = file(kind, key);
    TemporaryFile temporary(path);
    const Header header = header_of(key, payload);
    temporary.write(std::as_bytes(std::span(&header, 1)));
    temporary.write(payload);
    temporary.move_to(path);
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::io_failed,
                "The cache folder '" + folder_.string() + "' cannot be written: " + error.code().message() +
                    ". Set WEFT_CACHE_DIR to a folder that can, or WEFT_CACHE_DIR= to do without.");
  }
}

}  // namespace weft::core
