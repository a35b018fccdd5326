#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/src/platform/files.h"

namespace weft::support {

/// Half of the machine's memory, in bytes.
size_t half_of_memory();

/// A file read from its start. Each function throws io_failed if reading fails; the end of the file is not a failure.
class InputFile {
 public:
  /// The name is UTF-8; "/dev/stdin" is standard input on every system.
  /// Of a pipe, read_rest() takes up to `most_piped` bytes. Throws io_failed for folders, and for devices that may
  /// never end: others than terminals, disks and /dev/null.
  explicit InputFile(std::string name, size_t most_piped = half_of_memory());

  /// Whether `text` comes next. Does not consume it.
  bool starts_with(std::string_view text);
  /// Fills `data`, or as much of it as the file has left. Returns the number of bytes read.
  size_t read(std::span<std::byte> data);
  /// Reads the rest of the file. Throws io_failed if a pipe has too much.
  std::vector<std::byte> read_rest();

  const std::string& name() const { return name_; }

 private:
  std::string name_;
  size_t most_piped_;
  std::optional<core::OpenedFile> file_;
  std::vector<std::byte> ahead_;  ///< Read ahead, not consumed yet.
};

}  // namespace weft::support
