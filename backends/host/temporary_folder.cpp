#include "backends/host/temporary_folder.h"

#include <new>
#include <system_error>

#include <weft/error.h>

#include "core/src/platform/files.h"
#include "core/src/platform/utf8.h"

namespace weft::host {

TemporaryFolder::TemporaryFolder() {
  try {
    do {
      path_ = std::filesystem::temp_directory_path() / core::unguessable_name("");
    } while (!core::create_private_folder(path_));
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::io_failed, "Cannot create a temporary folder for compiling kernels (" +
                                          core::utf8_text(path_) + "): " + error.code().message() +
                                          ". Set TMPDIR to a writable folder.");
  }
}

TemporaryFolder::~TemporaryFolder() { remove(); }

void TemporaryFolder::remove() {
  if (path_.empty()) return;
  for (const std::filesystem::path& file : written_) core::remove_at_once(file);
  bool removed = core::remove_at_once(path_);
  if (!removed) {
    try {
      std::error_code error;
      std::filesystem::remove_all(path_, error);  // what a compiler wrote
      removed = !error;
    } catch (const std::bad_alloc&) {
      // Is left behind.
    }
  }
  if (removed) path_.clear();
}

void TemporaryFolder::write(const std::filesystem::path& file, std::span<const std::byte> bytes) {
  written_.push_back(file);
  try {
    core::write_program(file, bytes);
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::io_failed, "The temporary file '" + core::utf8_text(file) + "' cannot be written: " +
                                          error.code().message() + ". Set TMPDIR to a folder with free space.");
  }
}

std::string read_text(const std::filesystem::path& file) {
  try {
    const std::vector<std::byte> bytes = core::OpenedFile(file).read_rest();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::io_failed,
                "The file '" + core::utf8_text(file) + "' cannot be read: " + error.code().message() + ".");
  }
}

}  // namespace weft::host
