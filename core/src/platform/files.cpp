#include "core/src/platform/files.h"

#include <cstdio>
#include <system_error>

namespace weft::core {

size_t OpenedFile::read_up_to(std::span<std::byte> data) const {
  size_t done = 0;
  while (done < data.size()) {
    const size_t got = read_some(handle_, data.subspan(done));
    if (got == 0) break;
    done += got;
  }
  return done;
}

std::vector<std::byte> OpenedFile::read_rest(std::vector<std::byte> data, size_t most) const {
  // The size of a file is only a first guess: pipes and files in /proc report none.
  constexpr size_t first = size_t(64) << 10, later = size_t(16) << 20;
  const uint64_t known = is_plain() ? bytes() : later;
  size_t chunk = known < later ? size_t(known) + 1 : first;
  for (size_t used = data.size();; chunk = later) {
    data.resize(used + chunk);
    const size_t got = read_up_to(std::span(data).subspan(used));
    used += got;
    if (used > most) throw std::system_error(std::make_error_code(std::errc::file_too_large));
    if (got == chunk) continue;
    data.resize(used);
    return data;
  }
}

void write_all(const Handle& file, std::span<const std::byte> data) {
  while (!data.empty()) data = data.subspan(write_some(file, data));
}

void NewFile::write(std::span<const std::byte> data) { write_all(file_, data); }

std::string unguessable_name(const char* suffix) {
  char name[32];
  std::snprintf(name, sizeof(name), "weft-%016llx", static_cast<unsigned long long>(unguessable_number()));
  return std::string(name) + suffix;
}

void make_private_folder(const std::filesystem::path& folder) {
  if (std::filesystem::is_directory(folder)) return;
  if (folder.has_parent_path() && folder.parent_path() != folder) make_private_folder(folder.parent_path());
  create_private_folder(folder);
}

}  // namespace weft::core
