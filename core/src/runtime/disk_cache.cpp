#include "core/src/runtime/disk_cache.h"

#include <system_error>

#include "core/src/platform/utf8.h"
#include "core/src/platform/variables.h"
#include "core/src/runtime/cache.h"

namespace weft::core {
namespace {

// Entries are SPIR-V and machine code, which are far smaller.
constexpr uint64_t most_bytes = uint64_t(1) << 30;

std::string name_of(std::string_view kind, std::string_view key) { return std::string(kind) + "-" + std::string(key); }

std::optional<std::vector<std::byte>> read_entry(const OpenedFile& file) {
  if (!file.is_plain() || file.who_else_changes() || file.bytes() > most_bytes) return std::nullopt;
  std::vector<std::byte> entry(file.bytes());
  entry.resize(file.read_up_to(entry));
  return entry;
}

}  // namespace

Folder DiskCache::open_folder() const {
  Folder folder(folder_);
  if (const auto reason = folder.who_else_changes()) {
    fail("is not used: it holds code that runs as this user, and " + *reason +
         ". Remove it, or make it this user's alone (" + restricting_commands + ") if nobody else has put code there");
  }
  return folder;
}

void DiskCache::fail(const std::string& what) const {
  const std::string message = "The cache folder '" + utf8_text(folder_) + "' " + what +
                              ". Or name another folder in DeviceOptions::cache or WEFT_CACHE_DIR; WEFT_CACHE_DIR= "
                              "(empty) does without.";
  if (named_ == Named::by_default) throw CacheUnusable(message);
  throw Error(ErrorCode::io_failed, message);
}

std::optional<std::vector<std::byte>> DiskCache::load(std::string_view kind, std::string_view key) {
  if (folder_.empty()) {
    throw CacheUnusable(std::string("There is no folder for the cache, because neither WEFT_CACHE_DIR nor ") +
                        caches_folder_variables + " names one. Set one of them; WEFT_CACHE_DIR= (empty) does without.");
  }
  std::optional<Folder> folder;
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
    return read_entry(folder->open(name_of(kind, key)));
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
    file.move_to(name, std::filesystem::perms(0600));
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
