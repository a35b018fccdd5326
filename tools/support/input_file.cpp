#include "support/input_file.h"

#include <fcntl.h>

#include <system_error>

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

size_t InputFile::read(std::span<std::byte> data) try {
  return core::read_up_to(file_, data);
} catch (const std::system_error& error) {
  throw_unreadable(name_, error.code().message());
}

std::vector<std::byte> InputFile::read_rest() try {
  return core::read_rest(file_);
} catch (const std::system_error& error) {
  throw_unreadable(name_, error.code().message());
}

}  // namespace weft::tools
