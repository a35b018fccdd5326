#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace weft {

/// Stores what Weft compiles, so that it is compiled once: SPIR-V, machine code, drivers' pipelines. Implement it to
/// keep these in an archive or database of your own, or use in_folder().
///
/// Must be thread-safe. What its functions throw reaches the caller of Device::kernel() or compile_glsl().
///
/// Weft runs the bytes that load() returns as code. It detects damaged entries, which count as missing, but no forged
/// ones: keep other users from writing to the storage.
class KernelCache {
 public:
  virtual ~KernelCache() = default;

  /// The bytes last stored under `kind` and `key`; nullopt where there are none. `kind` is a word ("spirv", "cuda"),
  /// `key` 32 hexadecimal digits that stand for everything the entry was made from.
  virtual std::optional<std::vector<std::byte>> load(std::string_view kind, std::string_view key) = 0;

  /// Stores an entry, or replaces it.
  virtual void store(std::string_view kind, std::string_view key, std::span<const std::byte> bytes) = 0;

  /// A cache of one file per entry, which the processes of one user may share. The folder is made on first use, for
  /// this user alone. Its functions throw Error(io_failed), with the folder, the reason and the remedy, when the folder
  /// cannot be read or written, or when other users can write it (docs/files.md). Throws invalid_argument for an empty
  /// path.
  static std::shared_ptr<KernelCache> in_folder(std::filesystem::path folder);
};

}  // namespace weft
