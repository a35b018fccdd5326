#include "backends/translate/code_cache.h"

#include <cstring>
#include <type_traits>

namespace weft::translate {

namespace {

constexpr const char* translation_kind = "translation";

// Another version of the translator may translate otherwise.
core::CacheKey translated_key(const core::CacheKey& kernel) {
  return core::CacheKey(kernel).add(version()).add(tools());
}

core::CacheKey source_key(const std::string& source) { return core::CacheKey().add(source); }

static_assert(std::is_trivially_copyable_v<core::CacheKey>);

}  // namespace

core::CacheKey translation_key(const Spirv& module, Target target, const KernelOptions& options,
                               const std::string& preamble) {
  core::CacheKey key;
  key.add(uint64_t(target)).add(preamble);
  key.add(module.words).add(options.entry).add(options.specialization);
  if (target == Target::cuda) key.add(options.workgroups_per_multiprocessor);
  if (target == Target::lanes) key.add(options.subgroup_size);
  return key;
}

core::Artifact packed_code(const std::string& backend, const std::string& architecture, const core::CacheKey& kernel,
                           const std::string& name) {
  return {backend, core::CacheKey(kernel).add(architecture), name};
}

CodeCache::CodeCache(core::Cache cache, const CodeTarget& target) : cache_(std::move(cache)), kind_(target.backend) {
  target_.add(target.architecture).add(target.compiler);
}

core::CacheKey CodeCache::code_key(const core::CacheKey& source) const {
  return core::CacheKey(target_).add(std::as_bytes(std::span(&source, 1)));
}

std::optional<CodeCache::Code> CodeCache::find(const core::CacheKey& kernel) const {
  const auto stored = cache_.find(translation_kind, translated_key(kernel));
  core::CacheKey source;
  if (!stored || stored->size() != sizeof(source)) return std::nullopt;
  std::memcpy(&source, stored->data(), sizeof(source));
  return cache_.find(kind_, code_key(source));
}

std::optional<CodeCache::Code> CodeCache::find(const std::string& source) const {
  return cache_.find(kind_, code_key(source_key(source)));
}

void CodeCache::put(const core::CacheKey& kernel, const std::string& source) const {
  const core::CacheKey key = source_key(source);
  cache_.put(translation_kind, translated_key(kernel), std::as_bytes(std::span(&key, 1)));
}

void CodeCache::put(const std::string& source, std::span<const std::byte> code) const {
  cache_.put(kind_, code_key(source_key(source)), code);
}

}  // namespace weft::translate
