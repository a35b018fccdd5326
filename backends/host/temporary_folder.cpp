#include "backends/host/temporary_folder.h"

#include <fcntl.h>
#include <stdlib.h>

#include <cerrno>
#include <system_error>

#include <weft/error.h>

#include "core/src/runtime/files.h"

namespace weft::host {

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  std::string name = (std::filesystem::temp_directory_path(error) / "weft-XXXXXX").string();
  if (error || !mkdtemp(name.data())) {
    throw Error(ErrorCode::io_failed, "Cannot create a temporary folder for compiling kernels (" + name +
                                          "): " + (error ? error.message() : std::generic_category().message(errno)) +
                                          ". Set TMPDIR to a writable folder.");
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void TemporaryFolder::write(const std::filesystem::path& file, std::span<const std::byte> bytes) const {
  try {
    core::Descriptor descriptor = core::open_at(AT_FDCWD, file.string(), O_WRONLY | O_CREAT | O_TRUNC, 0700);
    core::write_all(descriptor, bytes);
    descriptor.close();
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::io_failed, "The temporary file '" + file.string() + "' cannot be written: " +
                                          error.code().message() + ". Set TMPDIR to a folder with free space.");
  }
}

std::string read_text(const std::filesystem::path& file) {
  try {
    const std::vector<std::byte> bytes = core::read_rest(core::open_at(AT_FDCWD, file.string(), O_RDONLY));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::io_failed,
                "The file '" + file.string() + "' cannot be read: " + error.code().message() + ".");
  }
}

}  // namespace weft::host
