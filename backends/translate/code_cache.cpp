#include "backends/translate/code_cache.h"

#include <dlfcn.h>

#include <cstring>
#include <filesystem>
#include <system_error>

#include <weft/translate.h>

namespace weft::translate {

namespace {

/// Identifies this build of the translator by the file that contains it. Empty if the file is unknown.
std::string translator_identity() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void*>(&translate_spirv), &info) || !info.dli_fname) return {};
  std::error_code error;
  const std::filesystem::path file = std::filesystem::canonical(info.dli_fname, error);
  const auto bytes = std::filesystem::file_size(file, error);
  const auto written = std::filesystem::last_write_time(file, error).time_since_epoch().count();
  if (error) return {};
  return file.string() + " " + std::to_string(bytes) + " " + std::to_string(written);
}

static_assert(std::is_trivially_copyable_v<core::CacheKey>);

}  // namespace

core::CacheKey CodeCache::source_key(const Spirv& module, const KernelOptions& options,
                                     const std::string& variant) const {
  core::CacheKey key;
  key.add(std::as_bytes(std::span(module.words))).add(options.entry);
  for (const SpecializationValue& v : options.specialization) key.add(v.id).add(v.bytes).add(v.bits);
  return key.add(translator_identity()).add(kind_).add(compiler_).add(variant);
}

std::optional<std::vector<std::byte>> CodeCache::known(const core::CacheKey& source) const {
  const auto stored = cache_.load("translation", source);
  core::CacheKey key;
  if (!stored || stored->size() != sizeof(key)) return std::nullopt;
  std::memcpy(&key, stored->data(), sizeof(key));
  return cache_.load(kind_, key);
}

CodeCache::Code CodeCache::make(const core::CacheKey& source, const Translate& translate, const Compile& compile,
                                bool anew) const {
  const std::string text = translate();
  const core::CacheKey key = core::CacheKey().add(text).add(compiler_);
  Code code;
  if (!anew) {
    if (auto found = cache_.load(kind_, key)) code.bytes = std::move(*found);
  }
  if (code.bytes.empty()) {
    code = {compile(text), true};
    cache_.store(kind_, key, code.bytes);
  }
  if (!translator_identity().empty()) cache_.store("translation", source, std::as_bytes(std::span(&key, 1)));
  return code;
}

CodeCache::Code CodeCache::code(const Spirv& module, const KernelOptions& options, const std::string& variant,
                                const Translate& translate, const Compile& compile) const {
  const core::CacheKey source = source_key(module, options, variant);
  if (auto found = known(source)) return {std::move(*found), false};
  return make(source, translate, compile, false);
}

CodeCache::Code CodeCache::code_anew(const Spirv& module, const KernelOptions& options, const std::string& variant,
                                     const Translate& translate, const Compile& compile) const {
  return make(source_key(module, options, variant), translate, compile, true);
}

}  // namespace weft::translate
