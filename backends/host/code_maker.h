#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "backends/host/compiler.h"
#include "backends/host/settings.h"
#include "backends/translate/translate.h"
#include "core/src/runtime/backend.h"

namespace weft::host {

/// Makes the object of one kernel, for a device that may be there or only described.
class CodeMaker {
 public:
  using Bytes = std::vector<std::byte>;

  /// `options` have a subgroup size.
  CodeMaker(const backend::Device& device, const Settings& settings, const Spirv& module, const Reflection& reflection,
            const KernelOptions& options);

  /// The object that a device of this architecture loads: from a pack, from the cache, or compiled. Throws unsupported
  /// without a compiler, and compile_failed.
  Bytes object_for(const std::string& architecture, const std::function<const Compiler&()>& compiler) const;

 private:
  core::CacheKey key(const std::string& architecture) const;
  core::Artifact packed(const std::string& architecture) const;
  Bytes made(const std::string& architecture, const Compiler& compiler) const;
  translate::Target target() const;
  std::string preamble(const std::string& architecture) const;
  void require_stack(const Translation& translation) const;

  const backend::Device& device_;
  const Settings& settings_;
  const Spirv& module_;
  const Reflection& reflection_;
  const KernelOptions& options_;
};

/// Puts the object of a kernel into the pack that `device` makes, which need not be there.
void make_ahead(const backend::Device& device, const Spirv& module, const Reflection& reflection,
                const KernelOptions& options);

}  // namespace weft::host
