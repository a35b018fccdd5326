#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace weft::tools {

/// A file that appears whole or not at all: what is written goes to a temporary beside it, and commit() puts that in
/// its place. Without commit() an older file stays as it was. Devices and pipes (/dev/stdout) are written directly.
class OutputFile {
 public:
  /// Throws io_failed when the folder is missing or may not be written, invalid_argument when another output to the
  /// same file is open.
  explicit OutputFile(std::filesystem::path target);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  /// Throws io_failed, e.g. on a full disk.
  void write(std::span<const std::byte> data);
  void commit();

  const std::filesystem::path& target() const { return target_; }
  /// The file that is being written until commit().
  const std::filesystem::path& temporary() const { return temporary_; }

 private:
  void discard();

  std::filesystem::path target_, temporary_;
  std::FILE* file_ = nullptr;
};

/// Throws invalid_argument where a file to write is the one that `input` names, through links too; `what` that one is,
/// for the message.
void require_other_file(const std::string& output, const std::string& input, const std::string& what);

/// The file of that name; none where the name is empty. Throws as OutputFile does.
std::optional<OutputFile> open_output(const std::string& name);

}  // namespace weft::tools
