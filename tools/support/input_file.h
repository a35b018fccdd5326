#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/src/runtime/files.h"

namespace weft::tools {

/// A file read from its start. Each function throws io_failed if reading fails; the end of the file is not a failure.
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& path);

  /// Whether `text` comes next. Does not consume it.
  bool starts_with(std::string_view text);
  /// Fills `data`, or as much of it as the file has left. Returns the number of bytes read.
  size_t read(std::span<std::byte> data);
  /// Reads the rest of the file.
  std::vector<std::byte> read_rest();

  const std::string& name() const { return name_; }

 private:
  std::string name_;
  core::Descriptor file_;
  std::vector<std::byte> ahead_;  ///< Read ahead, not consumed yet.
};

}  // namespace weft::tools
