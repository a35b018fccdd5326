#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/src/runtime/files.h"

namespace weft::tools {

/// A file to read, from its beginning on. Each function throws io_failed where it cannot be read: a file that ends and
/// one whose reading fails are told apart.
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& path);

  /// Whether this is what comes next. It counts as not read yet.
  bool starts_with(std::string_view text);
  /// Fills `data`, or as much of it as the file still has. Returns how much that is.
  size_t read(std::span<std::byte> data);
  /// All that has not been read yet.
  std::vector<std::byte> read_rest();

  const std::string& name() const { return name_; }

 private:
  std::string name_;
  core::Descriptor file_;
  std::vector<std::byte> ahead_;  ///< Looked at, and not read yet.
};

}  // namespace weft::tools
