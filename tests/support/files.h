#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace weft::test {

/// A new folder, which is removed with its contents when the object is destroyed.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file in this folder, and creates the folders in its path.
  void write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

std::vector<std::byte> read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::vector<std::byte>& bytes);

/// The result of running a program.
struct Outcome {
  int status = -1;     ///< Its exit status, or -1 if a signal ended it.
  std::string output;  ///< Its standard output and error.
};

/// Runs a program, found by PATH, with changes to the environment: "NAME=value", or "NAME" to unset it.
Outcome run_program(const std::string& program, const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment = {});
/// Runs this program again with other arguments.
Outcome run_again(const std::vector<std::string>& arguments, const std::vector<std::string>& environment);

}  // namespace weft::test
