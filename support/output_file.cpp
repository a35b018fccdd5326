#include "support/output_file.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <weft/error.h>

#include "core/src/platform/utf8.h"
#include "support/interruption.h"
#include "support/output_location.h"

namespace weft::support {
namespace {

using Kind = OutputLocation::Kind;

[[noreturn]] void throw_unwritable(const std::string& name, const std::string& why) {
  throw Error(ErrorCode::io_failed, "cannot write " + name + ": " + why);
}

std::vector<const FileIdentity*> outputs;  // open ones; the command opens them on one thread

// While one exists, no other output may go to the same file.
class Claim {
 public:
  Claim(FileIdentity identity, const std::string& target) : identity_(std::move(identity)) {
    for (const FileIdentity* other : outputs) {
      if (!identity_.is_same(*other)) continue;
      throw Error(ErrorCode::invalid_argument,
                  "cannot write " + target + ": another output goes to the same file; give each output its own file");
    }
    outputs.push_back(&identity_);
  }
  Claim(const Claim&) = delete;
  ~Claim() { std::erase(outputs, &identity_); }

 private:
  const FileIdentity identity_;
};

// A file that is written directly: a device, a pipe, or the target of a redirected standard output.
struct Direct {
  core::Handle file;
  std::optional<Claim> claim;

  Direct(const OutputLocation& location, const std::string& target) : file(open_stream(location)) {
    if (const auto identity = file_behind(file)) claim.emplace(*identity, target);
  }
};

// A temporary file that replaces the target.
struct Replacement {
  Claim claim;
  UnfinishedFile temporary;
  std::filesystem::path folder_path;
  std::string name;
  std::filesystem::perms permissions;

  Replacement(OutputLocation location, const std::string& target)
      : claim(location.identity, target),
        temporary(std::move(location.folder)),
        folder_path(std::move(location.folder_path)),
        name(std::move(location.name)),
        permissions(location.permissions) {}
};

}  // namespace

struct OutputFile::Open {
  std::optional<Direct> direct;
  std::optional<Replacement> replacement;
};

OutputFile::OutputFile(std::string target) : target_(std::move(target)), open_(std::make_unique<Open>()) {
  try {
    OutputLocation location = find_location(core::utf8_path(target_));
    if (location.kind == Kind::folder) throw_unwritable(target_, "it is a folder");
    if (location.kind == Kind::stream) {
      open_->direct.emplace(location, target_);
      return;
    }
    if (location.kind == Kind::plain_file) require_writable(location);
    open_->replacement.emplace(std::move(location), target_);
  } catch (const std::system_error& error) {
    throw_unwritable(target_, error.code().message());
  }
}

OutputFile::OutputFile(OutputFile&& other) noexcept = default;

OutputFile::~OutputFile() = default;

void OutputFile::write(std::span<const std::byte> data) try {
  if (open_->direct) {
    core::write_all(open_->direct->file, data);
  } else {
    open_->replacement->temporary.file().write(data);
  }
} catch (const std::system_error& error) {
  throw_unwritable(target_, error.code().message());
}

void OutputFile::commit() try {
  if (open_->direct) {
    open_->direct->file.close();
  } else {
    open_->replacement->temporary.file().move_to(open_->replacement->name, open_->replacement->permissions);
  }
  open_->direct.reset();
  open_->replacement.reset();
} catch (const std::system_error& error) {
  throw_unwritable(target_, error.code().message());
}

std::filesystem::path OutputFile::temporary() const {
  if (!open_->replacement) return {};
  return open_->replacement->folder_path / core::utf8_path(open_->replacement->temporary.file().name());
}

void require_other_file(const std::string& output, const std::string& input, const std::string& what) {
  const std::filesystem::path target = core::utf8_path(output);
  std::error_code missing;
  if (!std::filesystem::is_regular_file(target, missing) ||
      !std::filesystem::equivalent(target, core::utf8_path(input), missing))
    return;
  throw Error(ErrorCode::invalid_argument,
              "cannot write " + output + ": it is " + what + ", which would be overwritten; name another file");
}

std::optional<OutputFile> open_output(const std::string& name) {
  if (name.empty()) return std::nullopt;
  return OutputFile(name);
}

}  // namespace weft::support
