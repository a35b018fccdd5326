#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <weft/api.h>
#include <weft/kernel_cache.h>
#include <weft/messages.h>
#include <weft/spirv.h>

namespace weft {

struct WEFT_API GlslOptions {
  std::string name = "kernel.comp";  ///< For messages; #include "..." searches its folder first.
  /// Macros (name, value), defined before the first line.
  std::vector<std::pair<std::string, std::string>> defines;
  /// Folders that #include searches after the file's own. `#include "weft/..."` finds Weft's shader library, which is
  /// embedded in the library and needs no folder.
  std::vector<std::string> include_folders;
  bool debug_lines = false;  ///< Keeps source lines (OpLine) for debuggers and error messages.
  /// Stores compiled modules, so that the same source compiles once; null: no cache. Device::options() has a device's.
  std::shared_ptr<KernelCache> cache;
  MessageCallback messages;  ///< Receives warnings about the cache; empty: they are printed to stderr.

  /// The defaults and the cache of DeviceOptions::from_environment(). `GlslOptions{}` has no cache.
  static GlslOptions from_environment();
};

/// Compiles a GLSL compute shader to SPIR-V 1.5 for Vulkan 1.2 and later. #include works without an #extension line.
///
/// Throws Error(compile_failed) with "file:line: message" lines in log(), also for statements nested more than 4,096
/// levels deep, counting brackets and operators. Thread-safe, even on threads with small stacks.
WEFT_API Spirv compile_glsl(const std::string& source, const GlslOptions& options = GlslOptions::from_environment());

/// The files of the embedded shader library, as #include names them: "weft/subgroup/reduce_scan.glsl".
WEFT_API std::vector<std::string> shader_library_files();

}  // namespace weft
