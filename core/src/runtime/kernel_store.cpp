#include "core/src/runtime/kernel_store.h"

#include "core/src/pack/contents.h"

namespace weft::core {

std::optional<KernelStore::Bytes> KernelStore::find_packed(const Artifact& artifact) const {
  for (const Pack& pack : packs_) {
    if (auto bytes = pack.contents().find(artifact.kind, artifact.key)) return bytes;
  }
  return std::nullopt;
}

void KernelStore::add_to_pack(const Artifact& artifact, std::span<const std::byte> bytes) const {
  if (made_pack) made_pack->add(artifact, bytes);
}

KernelStore::Bytes KernelStore::get_packed(const Artifact& artifact, const std::function<Bytes()>& make) const {
  auto packed = find_packed(artifact);
  if (!packed && made_pack) packed = made_pack->find(artifact);
  Bytes bytes = packed ? std::move(*packed) : make();
  add_to_pack(artifact, bytes);
  return bytes;
}

KernelStore::Bytes KernelStore::get(const Artifact& artifact, const std::string& made_by,
                                    const std::function<Bytes()>& make) const {
  return get_packed(artifact, [&] {
    const CacheKey key = CacheKey(artifact.key).add(made_by);
    if (auto known = cache_.find(artifact.kind, key)) return std::move(*known);
    Bytes bytes = make();
    cache_.put(artifact.kind, key, bytes);
    return bytes;
  });
}

}  // namespace weft::core
