#include <weft/error.h>
#include <weft/kernel_cache.h>

namespace weft {
namespace {

class CacheOfFunctions final : public KernelCache {
 public:
  CacheOfFunctions(Load load, Store store) : load_(std::move(load)), store_(std::move(store)) {}

  std::optional<std::vector<std::byte>> load(std::string_view kind, std::string_view key) override {
    return load_(kind, key);
  }
  void store(std::string_view kind, std::string_view key, std::span<const std::byte> bytes) override {
    store_(kind, key, bytes);
  }

 private:
  const Load load_;
  const Store store_;
};

}  // namespace

std::shared_ptr<KernelCache> KernelCache::of(Load load, Store store) {
  if (!load || !store) {
    throw Error(ErrorCode::invalid_argument,
                "A cache of functions needs both: one that returns an entry, and one that keeps it.");
  }
  return std::make_shared<CacheOfFunctions>(std::move(load), std::move(store));
}

}  // namespace weft
