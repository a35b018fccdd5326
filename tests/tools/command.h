#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

/// Runs the weft command as a user does, in a folder that is removed after the test.
namespace weft::test {

struct Outcome {
  int status = -1;  ///< Exit status; 128 + signal if a signal ended it.
  std::string out, error;
};

/// A new folder for a test's files.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();

  /// Runs `weft` with these arguments in the folder. WEFT_COMMAND names the command's file.
  Outcome weft(const std::vector<std::string>& arguments) const;
  /// Like weft(), and sends the command SIGINT once its standard output contains `text`.
  Outcome weft_interrupted_after(const std::string& text, const std::vector<std::string>& arguments) const;
  /// Like weft(), and sends the command the signal once `ready` returns true.
  Outcome weft_signalled(int signal, const std::function<bool()>& ready,
                         const std::vector<std::string>& arguments) const;
  /// Like weft(), with PATH set to `path`.
  Outcome weft_with_path(const std::string& path, const std::vector<std::string>& arguments) const;

  /// Like weft(), with `bytes` (up to 64 KiB) from a pipe as standard input.
  Outcome weft_reading(const std::string& bytes, const std::vector<std::string>& arguments) const;
  /// Like weft(), with standard output to that file.
  Outcome weft_printing_to(const std::string& file, const std::vector<std::string>& arguments) const;

  void write(const std::string& name, const std::string& bytes) const;
  std::string read(const std::string& name) const;
  bool has(const std::string& name) const { return std::filesystem::exists(path_ / name); }
  /// Returns the names in the folder, or in a folder in it, sorted.
  std::vector<std::string> names(const std::string& folder = ".") const;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Fails the test unless the command ended with `status` and a line on standard error that starts with "weft: error: "
/// and holds each of `words`.
void check_failure(const Outcome& outcome, int status, const std::vector<std::string>& words);
/// Fails the test, showing the messages, unless the command succeeded.
void check_success(const Outcome& outcome);

/// Returns the bytes of a value or a vector.
template <typename T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}
template <typename T>
std::vector<T> values_of(const std::string& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::copy_n(bytes.data(), values.size() * sizeof(T), reinterpret_cast<char*>(values.data()));
  return values;
}

/// Input of commands that compute nothing with it.
inline const std::vector<float> ten{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
inline const std::string idle_shader =
    "#version 450\nlayout(set = 0, binding = 0) buffer Data { uint v[]; } data;\nvoid main() {}";

// A .npy file, written independently of the code under test.
struct NpyFile {
  std::string descr = "<u4", shape, data, fortran_order = "False";
  char version = 1;

  std::string bytes() const;
};
template <typename T>
std::string npy(const std::string& descr, const std::vector<T>& values, const std::string& shape = {}) {
  return NpyFile{descr, shape.empty() ? "(" + std::to_string(values.size()) + ",)" : shape, bytes_of(values)}.bytes();
}
/// Returns the header's dictionary and the data of a .npy file. Fails the test if the bytes are not one.
struct NpyContent {
  std::string dictionary, data;
};
NpyContent parse_npy(const std::string& bytes);

}  // namespace weft::test
