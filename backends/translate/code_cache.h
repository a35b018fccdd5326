#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <weft/kernel.h>

#include "core/src/runtime/cache.h"

namespace weft::translate {

/// Machine code of translated kernels in a device's cache. There are two kinds of entries: machine code, with its C++
/// as the key, and "translation", which maps SPIR-V to that key, so that a known kernel is not translated again.
/// Without a cache, every kernel is translated and compiled.
class CodeCache {
 public:
  /// `kind` names the target of the machine code, in one word. `compiler` identifies the compiler.
  CodeCache(core::Cache cache, std::string kind, std::string compiler)
      : cache_(std::move(cache)), kind_(std::move(kind)), compiler_(std::move(compiler)) {}

  struct Code {
    std::vector<std::byte> bytes;
    bool compiled = false;  ///< Compiled just now, not found in the cache.
  };
  using Translate = std::function<std::string()>;
  using Compile = std::function<std::vector<std::byte>(const std::string& source)>;

  /// Returns code for `module`. `variant` is everything that affects the translation besides entry and specialization.
  Code code(const Spirv& module, const KernelOptions& options, const std::string& variant, const Translate& translate,
            const Compile& compile) const;
  /// Like code(), but recompiles. For code from the cache that turned out unusable.
  Code code_anew(const Spirv& module, const KernelOptions& options, const std::string& variant,
                 const Translate& translate, const Compile& compile) const;

 private:
  core::CacheKey source_key(const Spirv& module, const KernelOptions& options, const std::string& variant) const;
  std::optional<std::vector<std::byte>> known(const core::CacheKey& source) const;
  Code make(const core::CacheKey& source, const Translate& translate, const Compile& compile, bool anew) const;

  core::Cache cache_;
  std::string kind_, compiler_;
};

}  // namespace weft::translate
