#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <weft/kernel.h>

#include "backends/translate/translate.h"
#include "core/src/runtime/kernel_store.h"

namespace weft::translate {

/// The version of the translator, for cache keys: a hash of its sources, so that no two builds that may translate
/// differently share one. CMake generates the definition.
const char* version();
/// The libraries that the translator uses, with their versions; empty in a build without it.
std::string tools();

/// What a kernel's translation is made from: everything that shapes what translate() returns, and `preamble`, what the
/// backend puts in front of it. Not the translator's version.
core::CacheKey translation_key(const Spirv& module, Target target, const KernelOptions& options,
                               const std::string& preamble);

/// What machine code is for and what makes it. These are part of its key, so they say the same on every machine: no
/// paths and no dates.
struct CodeTarget {
  std::string backend;       ///< "cuda". Also the kind of the entries.
  std::string architecture;  ///< "sm_90", "gfx90a:xnack-", "x86-64-v3".
  std::string compiler;      ///< Its name, version and options.
};

/// The entry of a pack with a kernel's machine code.
core::Artifact packed_code(const std::string& backend, const std::string& architecture, const core::CacheKey& kernel,
                           const std::string& name);

/// Machine code of translated kernels in a device's cache. There are two kinds of entries: machine code, with its C++
/// as the key, and "translation", which has the hash of a kernel's C++, so that a known kernel is not translated again.
/// Once the translator has changed, each kernel is translated anew, and compiled anew only if its C++ has changed.
///
/// Packs have machine code by the translation_key() and the architecture: packed_code().
///
/// A backend finds the code of a kernel; or translates it, puts the translation and finds the code of that C++; or
/// compiles it and puts the code.
class CodeCache {
 public:
  using Code = std::vector<std::byte>;

  CodeCache(core::Cache cache, const CodeTarget& target);

  /// The code of the kernel with that translation_key(). None if its translation is not known, or the code of that.
  std::optional<Code> find(const core::CacheKey& kernel) const;
  std::optional<Code> find(const std::string& source) const;
  void put(const core::CacheKey& kernel, const std::string& source) const;
  void put(const std::string& source, std::span<const std::byte> code) const;

 private:
  core::CacheKey code_key(const core::CacheKey& source) const;

  core::Cache cache_;
  std::string kind_;
  core::CacheKey target_;
};

}  // namespace weft::translate
