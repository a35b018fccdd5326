#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <weft/device_info.h>
#include <weft/pack.h>
#include <weft/tuning.h>

#include "core/src/pack/format.h"
#include "core/src/runtime/cache.h"

/// A pack in memory, checked.
struct weft::Pack::Contents {
  /// The bytes are the caller's, or kept here. Throws as Pack::open() does.
  Contents(std::span<const std::byte> given, std::string named);
  Contents(std::vector<std::byte> given, std::string named);

  /// The entry of that kind and key. Throws invalid_argument if it cannot be unpacked.
  std::optional<std::vector<std::byte>> find(std::string_view kind, const core::CacheKey& key) const;

  /// An entry with an empty key as text; empty if the pack has none of that kind.
  std::string text(std::string_view kind) const;
  /// The devices that it serves.
  std::vector<DeviceInfo> served() const;
  /// The entries of the tuning that it was made with.
  Tuning tuning() const;

  const std::string name;

 private:
  std::vector<std::byte> unpacked(const core::PackEntry& entry) const;

  const std::vector<std::byte> owned;
  const std::span<const std::byte> bytes;
  const std::vector<core::PackEntry> entries;
};
