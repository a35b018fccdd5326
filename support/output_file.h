#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace weft::support {

/// A file that appears whole or not at all. Data goes to a temporary file in the same folder, readable by this user
/// alone. commit() moves it over the target, with the old file's permissions or the default ones. Without commit() an
/// older file stays unchanged. Devices and pipes (/dev/stdout) are written directly.
///
/// A symbolic link is followed to its target, which need not exist; the link stays. A link is refused unless it belongs
/// to this user, root or the owner of its folder: it might have been put there to have another file overwritten. On
/// Windows a link's target must exist.
///
/// Names are UTF-8. "/dev/stdout" is standard output on every system.
class OutputFile {
 public:
  /// Throws io_failed if the folder is missing or not writable, or a link is refused; invalid_argument if another
  /// output to the same file is open, even through a link or by another name.
  explicit OutputFile(std::string target);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  /// Throws io_failed, e.g. on a full disk.
  void write(std::span<const std::byte> data);
  void commit();

  const std::string& target() const { return target_; }
  /// The temporary file that holds the data until commit(); empty if the target is written directly.
  std::filesystem::path temporary() const;

 private:
  struct Open;

  std::string target_;
  std::unique_ptr<Open> open_;
};

/// Throws invalid_argument if `output` is the same file as `input`, even through links. `what` describes the input in
/// the message.
void require_other_file(const std::string& output, const std::string& input, const std::string& what);

/// Opens the file of that name; none if the name is empty. Throws as OutputFile does.
std::optional<OutputFile> open_output(const std::string& name);

}  // namespace weft::support
