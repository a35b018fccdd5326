#include "support/output_location.h"

#include <cstdio>
#include <system_error>
#include <utility>

#include <weft/error.h>

#include "core/src/platform/utf8.h"
#include "support/windows/streams.h"

namespace weft::support {
namespace {

constexpr DWORD share_all = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

// Opens what has that name, to ask about it. Returns nothing if there is nothing.
core::Handle open_to_ask(const std::filesystem::path& path, DWORD flags) {
  core::Handle opened = core::owned(CreateFileW(path.c_str(), FILE_READ_ATTRIBUTES | READ_CONTROL, share_all, nullptr,
                                                OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | flags, nullptr));
  if (!opened && GetLastError() != ERROR_FILE_NOT_FOUND) core::fail();
  return opened;
}

bool is_link(const core::Handle& opened) {
  FILE_ATTRIBUTE_TAG_INFO info{};
  return GetFileInformationByHandleEx(core::native(opened), FileAttributeTagInfo, &info, sizeof(info)) &&
         (info.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) && info.ReparseTag == IO_REPARSE_TAG_SYMLINK;
}

// Accepts links that nobody but this user and the administrators can have made.
void require_trusted(const core::Handle& link, const std::filesystem::path& target) {
  const auto reason = core::who_else_changes(link);
  if (!reason) return;
  throw Error(ErrorCode::io_failed,
              core::utf8_text(target) + " is a link, and " + *reason + "; if its target is meant, name that file");
}

bool is_stream_by_name(const std::filesystem::path& target) {
  const std::string name = core::utf8_text(target);
  return name == standard_output || name == standard_error || name.starts_with(R"(\\.\)");  // opening a pipe takes it
}

OutputLocation stream_of(const std::filesystem::path& target) {
  OutputLocation location;
  location.name = core::utf8_text(target);
  location.kind = OutputLocation::Kind::stream;
  return location;
}

// Windows takes names in small and capital letters for the same.
std::string in_capitals(const std::wstring& name) {
  std::wstring capitals(name.size(), L' ');
  const int length = static_cast<int>(name.size());
  const int written = LCMapStringEx(LOCALE_NAME_INVARIANT, LCMAP_UPPERCASE, name.data(), length, capitals.data(),
                                    length, nullptr, nullptr, 0);
  return core::utf8_text(written == length ? capitals : name);
}

struct Number {
  uint64_t device = 0, file = 0;
};

// Nothing if the system does not say, as Wine 8.0 of standard streams that are files.
std::optional<Number> number_of(const core::Handle& opened) {
  BY_HANDLE_FILE_INFORMATION file{};
  if (!GetFileInformationByHandle(core::native(opened), &file)) return std::nullopt;
  return Number{file.dwVolumeSerialNumber, uint64_t{file.nFileIndexHigh} << 32 | file.nFileIndexLow};
}

}  // namespace

OutputLocation find_location(const std::filesystem::path& target) {
  if (is_stream_by_name(target)) return stream_of(target);
  const std::filesystem::path last = target.filename();
  if (last.empty() || last == "." || last == "..")
    throw std::system_error(std::make_error_code(std::errc::is_a_directory));
  const core::Handle itself = open_to_ask(target, FILE_FLAG_OPEN_REPARSE_POINT);
  const bool leads_on = itself && is_link(itself);
  if (leads_on) require_trusted(itself, target);
  const core::Handle there = itself ? open_to_ask(target, 0) : core::Handle();
  if (leads_on && !there) core::fail(ERROR_FILE_NOT_FOUND);
  if (there && !is_on_disk(there)) return stream_of(target);

  const std::filesystem::path path = leads_on ? core::path_of(there) : target;
  OutputLocation location;
  location.folder_path = path.has_parent_path() ? path.parent_path() : ".";
  location.folder = core::Folder(location.folder_path);
  location.name = core::utf8_text(path.filename());
  const Number folder = number_of(location.folder.handle()).value_or(Number{});
  location.identity = {
      .folder_device = folder.device, .folder = folder.file, .name = in_capitals(path.filename().native())};
  if (!there) return location;
  location.kind = core::attributes_of(there) & FILE_ATTRIBUTE_DIRECTORY ? OutputLocation::Kind::folder
                                                                        : OutputLocation::Kind::plain_file;
  const Number file = number_of(there).value_or(Number{});
  location.identity.device = file.device;
  location.identity.file = file.file;
  return location;
}

void require_writable(const OutputLocation& location) {
  const std::filesystem::path path = location.folder_path / core::utf8_path(location.name);
  const core::Handle opened = core::owned(
      CreateFileW(path.c_str(), GENERIC_WRITE | FILE_READ_ATTRIBUTES, share_all, nullptr, OPEN_EXISTING, 0, nullptr));
  if (!opened && GetLastError() != ERROR_SHARING_VIOLATION) core::fail();  // a reader may be done by then
  // Wine opens it for root all the same.
  if (opened && (core::attributes_of(opened) & FILE_ATTRIBUTE_READONLY)) core::fail(ERROR_ACCESS_DENIED);
}

core::Handle open_stream(const OutputLocation& location) {
  if (location.name == standard_output || location.name == standard_error) {
    // Printed and written output share one file offset, so that neither overwrites the other.
    std::fflush(stdout);
    return duplicate_stream(location.name == standard_output ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE);
  }
  return core::open_existing(core::utf8_path(location.name), GENERIC_WRITE, share_all);
}

std::optional<FileIdentity> file_behind(const core::Handle& stream) {
  const auto file = is_on_disk(stream) ? number_of(stream) : std::nullopt;
  if (!file) return std::nullopt;
  return FileIdentity{.device = file->device, .file = file->file};
}

}  // namespace weft::support
