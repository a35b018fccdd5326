#include "support/input_file.h"

#include <fcntl.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include <weft/error.h>

namespace weft::tools {
namespace {

[[noreturn]] void throw_unreadable(const std::string& name, const std::string& why) {
  throw Error(ErrorCode::io_failed, "cannot read " + name + ": " + why);
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& path) : name_(path.string()) {
  try {
    file_ = core::open_at(AT_FDCWD, name_, O_RDONLY);
    if (S_ISDIR(file_.status().st_mode)) throw_unreadable(name_, "it is a folder");
  } catch (const std::system_error& error) {
    throw_unreadable(name_, error.code().message());
  }
}

bool InputFile::starts_with(std::string_view text) {
  std::vector<std::byte> start(text.size());
  start.resize(read(start));
  ahead_.insert(ahead_.begin(), start.begin(), start.end());
  return std::ranges::equal(start, std::as_bytes(std::span(text)));
}

size_t InputFile::read(std::span<std::byte> data) try {
  const size_t known = std::min(ahead_.size(), data.size());
  std::copy_n(ahead_.begin(), known, data.begin());
  ahead_.erase(ahead_.begin(), ahead_.begin() + ptrdiff_t(known));
  return known + core::read_up_to(file_, data.subspan(known));
} catch (const std::system_error& error) {
  throw_unreadable(name_, error.code().message());
}

std::vector<std::byte> InputFile::read_rest() try {
  return core::read_rest(file_, std::exchange(ahead_, {}));
} catch (const std::system_error& error) {
  throw_unreadable(name_, error.code().message());
}

}  // namespace weft::tools
