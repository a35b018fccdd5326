#include "core/src/runtime/disk_cache.h"

#include <fcntl.h>

#include <cerrno>
#include <system_error>

#include "core/src/runtime/cache.h"
#include "core/src/runtime/trust.h"

namespace weft::core {
namespace {

// Entries are SPIR-V and machine code, which are far smaller.
constexpr uint64_t most_bytes = uint64_t(1) << 30;

std::string name_of(std::string_view kind, std::string_view key) { return std::string(kind) + "-" + std::string(key); }

std::optional<std::vector<std::byte>> read_entry(const Descriptor& file) {
  const struct stat status = file.status();
  const auto bytes = static_cast<uint64_t>(status.st_size);
  if (!S_ISREG(status.st_mode) || who_else_changes(status) || bytes > most_bytes) return std::nullopt;
  std::vector<std::byte> entry(bytes);
  entry.resize(read_up_to(file, entry));
  return entry;
}

}  // namespace

Descriptor DiskCache::open_folder() const {
  Descriptor folder = open_at(AT_FDCWD, folder_.string(), O_RDONLY | O_DIRECTORY);
  if (const auto reason = who_else_changes(folder.status())) {
    fail("is not used: it holds code that runs as this user, and " + *reason +
         ". Remove it, or make it this user's alone (chown, chmod go-w) if nobody else has put code there");
  }
  return folder;
}

void DiskCache::fail(const std::string& what) const {
  const std::string message = "The cache folder '" + folder_.string() + "' " + what +
                              ". Or name another folder in DeviceOptions::cache or WEFT_CACHE_DIR; WEFT_CACHE_DIR= "
                              "(empty) does without.";
  if (named_ == Named::by_default) throw CacheUnusable(message);
  throw Error(ErrorCode::io_failed, message);
}

std::optional<std::vector<std::byte>> DiskCache::load(std::string_view kind, std::string_view key) {
  if (folder_.empty()) {
    throw CacheUnusable(
        "There is no folder for the cache, because neither WEFT_CACHE_DIR nor XDG_CACHE_HOME nor HOME names one. Set "
        "one of them; WEFT_CACHE_DIR= (empty) does without.");
  }
  Descriptor folder;
  try {
    folder = open_folder();
  } catch (const std::system_error& error) {
    // A missing folder is made when there is something to store.
    if (error.code() == std::errc::no_such_file_or_directory || error.code() == std::errc::not_a_directory) {
      return std::nullopt;
    }
    fail("cannot be opened: " + error.code().message() + ". Let this user read and enter it");
  }
  try {
    // O_NONBLOCK: opening a pipe must not wait for a writer.
    return read_entry(open_at(folder.number(), name_of(kind, key), O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
  } catch (const std::system_error&) {
    return std::nullopt;
  }
}

void DiskCache::store(std::string_view kind, std::string_view key, std::span<const std::byte> bytes) {
  if (folder_.empty() || bytes.size() > most_bytes) return;
  const std::string name = name_of(kind, key);
  try {
    make_private_folder(folder_);
    NewFile file(open_folder());
    file.write(bytes);
    file.move_to(name, 0600);
  } catch (const std::system_error& error) {
    fail("cannot be written (" + name + "): " + error.code().message() +
         ". Let this user write into it, on a disk with room");
  }
}

}  // namespace weft::core

namespace weft {

std::shared_ptr<KernelCache> KernelCache::in_folder(std::filesystem::path folder) {
  if (folder.empty()) {
    throw Error(ErrorCode::invalid_argument, "An empty path names no folder for a cache; a null cache does without.");
  }
  return std::make_shared<core::DiskCache>(std::move(folder), core::DiskCache::Named::by_user);
}

}  // namespace weft
