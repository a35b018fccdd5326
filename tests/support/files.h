#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace weft::test {

/// A new folder that is gone, with all in it, when this goes.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file under this folder, with the folders above it.
  void write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

std::vector<std::byte> read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::vector<std::byte>& bytes);

/// How a program that was run ended.
struct Outcome {
  int status = -1;     ///< Its exit status, or -1 when a signal ended it.
  std::string output;  ///< What it wrote to standard output and error.
};

/// Runs a program, looked up on the PATH, with these changes to the environment: "NAME=value", or "NAME" to unset it.
Outcome run_program(const std::string& program, const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment = {});
/// Runs this very program with other arguments.
Outcome run_again(const std::vector<std::string>& arguments, const std::vector<std::string>& environment);

}  // namespace weft::test
