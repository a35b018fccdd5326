#include "core/src/platform/files.h"

#include <algorithm>
#include <random>
#include <system_error>
#include <utility>

#include "core/src/platform/utf8.h"
#include "core/src/platform/windows/security.h"

namespace weft::core {
namespace {

// Others may replace or remove a file that is read here, as they may on Linux.
constexpr DWORD share_file = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
// Nobody may rename or remove a folder that is open here, so that its path stays its own.
constexpr DWORD share_folder = FILE_SHARE_READ | FILE_SHARE_WRITE;
constexpr DWORD to_read = GENERIC_READ | READ_CONTROL;

std::filesystem::path path_in(const Folder& folder, const std::string& name) {
  return path_of(folder.handle()) / utf8_path(name);
}

// It can be removed while it is open, as on Linux.
Handle create_new(const std::filesystem::path& file) {
  Handle created = owned(
      CreateFileW(file.c_str(), GENERIC_WRITE, FILE_SHARE_DELETE, nullptr, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr));
  if (!created) fail();
  return created;
}

DWORD at_most_a_gigabyte(size_t bytes) { return static_cast<DWORD>(std::min(bytes, size_t{1} << 30)); }

}  // namespace

OpenedFile::OpenedFile(const std::filesystem::path& file) : handle_(open_existing(file, to_read, share_file)) {}

OpenedFile OpenedFile::at_once(const std::filesystem::path& file) { return OpenedFile(file); }

bool OpenedFile::is_plain() const {
  constexpr DWORD others = FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_DEVICE | FILE_ATTRIBUTE_REPARSE_POINT;
  return GetFileType(native(handle_)) == FILE_TYPE_DISK && !(attributes_of(handle_) & others);
}

uint64_t OpenedFile::bytes() const {
  LARGE_INTEGER size{};
  if (!GetFileSizeEx(native(handle_), &size)) fail();
  return static_cast<uint64_t>(size.QuadPart);
}

Folder::Folder(const std::filesystem::path& folder)
    : handle_(open_existing(folder, to_read, share_folder, FILE_FLAG_BACKUP_SEMANTICS)) {
  if (!(attributes_of(handle_) & FILE_ATTRIBUTE_DIRECTORY)) fail(ERROR_DIRECTORY);
}

OpenedFile Folder::open(const std::string& name) const {
  return OpenedFile(open_existing(path_in(*this, name), to_read, share_file, FILE_FLAG_OPEN_REPARSE_POINT));
}

NewFile::NewFile(Folder folder, std::string name)
    : folder_(std::move(folder)), file_(create_new(path_in(folder_, name))), name_(std::move(name)) {}

NewFile::~NewFile() {
  if (name_.empty()) return;
  file_ = Handle();  // which Windows does not remove while it is open
  try {
    DeleteFileW(path_in(folder_, name_).c_str());
  } catch (const std::system_error&) {  // a folder that is gone has no file to remove
  }
}

void NewFile::move_to(const std::string& name, std::filesystem::perms) {
  file_.close();
  const std::filesystem::path temporary = path_in(folder_, name_), target = path_in(folder_, name);
  // While someone has the old file open, Windows does not replace it. Readers are quick.
  constexpr int tries = 100;
  constexpr DWORD pause_ms = 10;
  for (int i = 1; !MoveFileExW(temporary.c_str(), target.c_str(), MOVEFILE_REPLACE_EXISTING); ++i) {
    const DWORD error = GetLastError();
    if ((error != ERROR_ACCESS_DENIED && error != ERROR_SHARING_VIOLATION) || i == tries) fail(error);
    Sleep(pause_ms);
  }
  name_.clear();
}

bool create_private_folder(const std::filesystem::path& folder) {
  PrivateSecurity security;
  if (CreateDirectoryW(folder.c_str(), security.attributes())) return true;
  if (GetLastError() != ERROR_ALREADY_EXISTS) fail();
  return false;
}

bool remove_at_once(const std::filesystem::path& path) noexcept {
  return DeleteFileW(path.c_str()) || RemoveDirectoryW(path.c_str());
}

void append_to_file(const std::filesystem::path& file, std::span<const std::byte> data) {
  Handle opened = owned(CreateFileW(file.c_str(), FILE_APPEND_DATA | GENERIC_READ, share_file, nullptr, OPEN_ALWAYS,
                                    FILE_ATTRIBUTE_NORMAL, nullptr));
  if (!opened) fail();
  // Wine 8.0 finds the end of the file and writes there in two steps, so two writers can write to the same offset. The
  // lock is held until the file is closed, on a byte far beyond the end, where it blocks no reader.
  OVERLAPPED last_byte{};
  last_byte.Offset = 0xffff'fffe;
  last_byte.OffsetHigh = 0x7fff'ffff;
  if (!LockFileEx(native(opened), LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &last_byte)) fail();
  write_all(opened, data);
  opened.close();
}

void write_program(const std::filesystem::path& file, std::span<const std::byte> data) {
  Handle opened =
      owned(CreateFileW(file.c_str(), GENERIC_WRITE, 0, nullptr, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr));
  if (!opened) fail();
  write_all(opened, data);
  opened.close();
}

size_t read_some(const Handle& file, std::span<std::byte> data) {
  DWORD got = 0;
  if (ReadFile(native(file), data.data(), at_most_a_gigabyte(data.size()), &got, nullptr)) return got;
  if (GetLastError() != ERROR_BROKEN_PIPE) fail();
  return 0;  // a pipe ends when its last writer closes it
}

size_t write_some(const Handle& file, std::span<const std::byte> data) {
  DWORD written = 0;
  if (!WriteFile(native(file), data.data(), at_most_a_gigabyte(data.size()), &written, nullptr)) fail();
  return written;
}

uint64_t unguessable_number() {
  std::random_device random;  // the system's own, with each library for Windows
  return uint64_t{random()} << 32 | random();
}

}  // namespace weft::core
