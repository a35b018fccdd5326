#include "support/input_file.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <weft/error.h>

#include "core/src/platform/machine.h"
#include "support/input_source.h"
#include "support/text.h"

namespace weft::support {
namespace {

[[noreturn]] void throw_unreadable(const std::string& name, const std::string& why) {
  throw Error(ErrorCode::io_failed, "cannot read " + name + ": " + why);
}

}  // namespace

size_t half_of_memory() { return size_t(core::memory_bytes() / 2); }

InputFile::InputFile(std::string name, size_t most_piped) : name_(std::move(name)), most_piped_(most_piped) {
  try {
    file_.emplace(open_input(name_));
    if (const std::string reason = why_unreadable(*file_); !reason.empty()) throw_unreadable(name_, reason);
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
  return known + file_->read_up_to(data.subspan(known));
} catch (const std::system_error& error) {
  throw_unreadable(name_, error.code().message());
}

std::vector<std::byte> InputFile::read_rest() try {
  return file_->read_rest(std::exchange(ahead_, {}), file_->is_plain() ? SIZE_MAX : most_piped_);
} catch (const std::system_error& error) {
  if (error.code() == std::errc::file_too_large) {
    throw_unreadable(name_, "it has more than " + format_bytes(most_piped_) + ", half of this machine's memory");
  }
  throw_unreadable(name_, error.code().message());
}

}  // namespace weft::support
