#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <weft/api.h>

namespace weft {

/// Stores the results of compilers: SPIR-V, machine code and drivers' pipelines. Use in_folder(), or implement this
/// class to keep them in an archive or database of your own.
///
/// Implementations must be thread-safe. Their exceptions reach the caller of Device::kernel() or compile_glsl().
///
/// Weft runs the bytes that load() returns as code, so keep other users from writing to the storage. Weft detects
/// damaged entries and treats them as missing; it cannot detect forged ones.
class WEFT_API KernelCache {
 public:
  virtual ~KernelCache() = default;

  /// Returns the bytes last stored under `kind` and `key`; nullopt if there are none. `kind` is a word ("spirv",
  /// "cuda"). `key` has 32 hexadecimal digits: a hash of all inputs of the entry.
  virtual std::optional<std::vector<std::byte>> load(std::string_view kind, std::string_view key) = 0;

  /// Stores an entry, or replaces it.
  virtual void store(std::string_view kind, std::string_view key, std::span<const std::byte> bytes) = 0;

  /// A cache of one file per entry, which the processes of one user may share. The folder is made on first use, for
  /// this user alone. Its functions throw Error(io_failed), with the folder, the reason and the remedy, when the folder
  /// cannot be read or written, or when other users can write it (docs/files.md). Throws invalid_argument for an empty
  /// path.
  static std::shared_ptr<KernelCache> in_folder(std::filesystem::path folder);

  /// A cache of two functions, where a class would be too much: load() and store() as above. Both must be thread-safe.
  /// Throws invalid_argument if one is empty.
  using Load = std::function<std::optional<std::vector<std::byte>>(std::string_view kind, std::string_view key)>;
  using Store = std::function<void(std::string_view kind, std::string_view key, std::span<const std::byte> bytes)>;
  static std::shared_ptr<KernelCache> of(Load load, Store store);
};

}  // namespace weft
