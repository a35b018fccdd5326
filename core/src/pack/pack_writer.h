#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <weft/device_info.h>

#include "core/src/runtime/kernel_store.h"

namespace weft::core {

/// Collects the entries of a pack. Thread-safe.
class PackWriter final : public PackSink {
 public:
  void add(const Artifact& artifact, std::span<const std::byte> bytes) override;
  std::optional<std::vector<std::byte>> find(const Artifact& artifact) const override;

  /// For the description: kinds of entries, how many there are and their bytes, before they are compressed.
  struct Share {
    size_t entries = 0, bytes = 0;
    void add(size_t more) {
      ++entries;
      bytes += more;
    }
  };
  std::map<std::string, Share> shares() const;
  /// The same for entries of a kind, by kernel.
  std::map<std::string, Share> shares_of(std::string_view kind) const;

  /// The whole pack, for these devices. The same entries, devices and description give the same bytes, in whatever
  /// order the entries were added.
  std::vector<std::byte> bytes(const std::string& description, std::span<const DeviceInfo> served) const;

 private:
  struct Entry {
    std::string kind, kernel;
    std::vector<std::byte> payload;
  };

  mutable std::mutex mutex_;
  std::map<CacheKey, Entry> entries_;
};

}  // namespace weft::core
