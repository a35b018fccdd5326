#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <weft/kernel.h>

#include "core/src/runtime/cache.h"

namespace weft::translate {

/// Machine code of translated kernels in a device's cache. Two kinds of entries: one holds machine code under the C++
/// that it was made from, and "translation" the key of that under the SPIR-V, so that a kernel that is known is not
/// translated again. Without a cache every kernel is translated and compiled.
class CodeCache {
 public:
  /// `kind`: what its machine code is for, as a word. `compiler`: what tells this compiler's code from another's.
  CodeCache(core::Cache cache, std::string kind, std::string compiler)
      : cache_(std::move(cache)), kind_(std::move(kind)), compiler_(std::move(compiler)) {}

  struct Code {
    std::vector<std::byte> bytes;
    bool compiled = false;  ///< Just now, and not found.
  };
  using Translate = std::function<std::string()>;
  using Compile = std::function<std::vector<std::byte>(const std::string& source)>;

  /// Code for `module`. `variant`: whatever shapes the translation beside the options' entry and specialization.
  Code code(const Spirv& module, const KernelOptions& options, const std::string& variant, const Translate& translate,
            const Compile& compile) const;
  /// The same made anew, for code that was found and did not serve.
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
