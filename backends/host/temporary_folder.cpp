#include "backends/host/temporary_folder.h"

#include <stdlib.h>

#include <weft/error.h>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

namespace weft::host {

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  std::string name = (std::filesystem::temp_directory_path(error) / "weft-XXXXXX").string();
  if (error || !mkdtemp(name.data())) {
    throw Error(ErrorCode::io_failed, "No temporary folder can be made for compiling kernels (" + name +
                                          "): " + (error ? error.message() : std::generic_category().message(errno)) +
                                          ". Set TMPDIR to a folder that can be written.");
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void TemporaryFolder::write(const std::filesystem::path& file, std::span<const std::byte> bytes) const {
  std::ofstream stream(file, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (!stream) throw Error(ErrorCode::io_failed, "The temporary file '" + file.string() + "' cannot be written.");
}

std::string read_text(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream && text.empty()) throw Error(ErrorCode::io_failed, "The file '" + file.string() + "' cannot be read.");
  return text;
}

}  // namespace weft::host
