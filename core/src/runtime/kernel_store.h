#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <weft/pack.h>

#include "core/src/runtime/cache.h"

namespace weft::core {

/// What a compiler makes of a kernel. Its bytes depend on the key alone, and on what makes them.
struct Artifact {
  std::string kind;    ///< "prepared"
  CacheKey key;        ///< Everything that it is made from, without versions of what makes it.
  std::string kernel;  ///< The kernel's name, for a pack's description.
};

/// A pack that is being made. Implementations are thread-safe.
class PackSink {
 public:
  virtual ~PackSink() = default;
  /// An entry that is there already stays.
  virtual void add(const Artifact& artifact, std::span<const std::byte> bytes) = 0;
  virtual std::optional<std::vector<std::byte>> find(const Artifact& artifact) const = 0;
};

/// Where a device looks for kernels before it compiles them: in its packs, then in its cache. What it finds or makes
/// also goes into a pack that is being made.
class KernelStore {
 public:
  using Bytes = std::vector<std::byte>;

  KernelStore(std::vector<Pack> packs, Cache cache) : packs_(std::move(packs)), cache_(std::move(cache)) {}

  const Cache& cache() const { return cache_; }
  bool has_packs() const { return !packs_.empty(); }

  /// The artifact from a pack, from the cache, or from `make`, whose version and tools are in `made_by`. Entries of the
  /// cache are for the same tools only; a pack is complete, so whatever made it counts.
  Bytes get(const Artifact& artifact, const std::string& made_by, const std::function<Bytes()>& make) const;
  /// As above for what is made of a source that has a cache of its own.
  Bytes get_packed(const Artifact& artifact, const std::function<Bytes()>& make) const;
  std::optional<Bytes> find_packed(const Artifact& artifact) const;
  void add_to_pack(const Artifact& artifact, std::span<const std::byte> bytes) const;

  /// Set before the device is shared.
  std::shared_ptr<PackSink> made_pack;

 private:
  const std::vector<Pack> packs_;
  const Cache cache_;
};

}  // namespace weft::core
