#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace weft::tools {

/// A file that appears whole or not at all: what is written goes to a temporary beside it, which only this user can
/// read, and commit() puts that in its place with the old file's permissions, or those that new files get. Without
/// commit() an older file stays as it was. Devices and pipes (/dev/stdout) are written directly.
///
/// A link is followed to the file where it ends, which need not be there yet; the link stays. One that belongs neither
/// to this user, nor to root, nor to the owner of the folder it lies in is refused: it may have been put there to have
/// another file overwritten.
class OutputFile {
 public:
  /// Throws io_failed when the folder is missing or may not be written, or a link is refused; invalid_argument when
  /// another output to the same file is open, be it through a link or by another of its names.
  explicit OutputFile(std::filesystem::path target);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  /// Throws io_failed, e.g. on a full disk.
  void write(std::span<const std::byte> data);
  void commit();

  const std::filesystem::path& target() const { return target_; }
  /// The file that is being written until commit(); none where it is written directly.
  std::filesystem::path temporary() const;

 private:
  struct Open;

  std::filesystem::path target_;
  std::unique_ptr<Open> open_;
};

/// Throws invalid_argument where a file to write is the one that `input` names, through links too; `what` that one is,
/// for the message.
void require_other_file(const std::string& output, const std::string& input, const std::string& what);

/// The file of that name; none where the name is empty. Throws as OutputFile does.
std::optional<OutputFile> open_output(const std::string& name);

}  // namespace weft::tools
