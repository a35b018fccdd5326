#pragma once

#include <map>
#include <mutex>
#include <string>

#include <weft/kernel_cache.h>

namespace weft::test {

/// A cache of the caller's. Counts what it is asked for.
class MemoryCache final : public KernelCache {
 public:
  std::optional<std::vector<std::byte>> load(std::string_view kind, std::string_view key) override {
    const std::lock_guard lock(mutex_);
    ++loads;
    const auto found = entries.find(std::string(kind) + " " + std::string(key));
    return found == entries.end() ? std::nullopt : std::optional(found->second);
  }
  void store(std::string_view kind, std::string_view key, std::span<const std::byte> bytes) override {
    const std::lock_guard lock(mutex_);
    ++stores;
    entries[std::string(kind) + " " + std::string(key)].assign(bytes.begin(), bytes.end());
  }

  std::map<std::string, std::vector<std::byte>> entries;
  size_t loads = 0, stores = 0;

 private:
  std::mutex mutex_;
};

}  // namespace weft::test
