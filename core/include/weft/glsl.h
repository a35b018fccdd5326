#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <weft/kernel_cache.h>
#include <weft/messages.h>
#include <weft/spirv.h>

namespace weft {

struct GlslOptions {
  std::string name = "kernel.comp";  ///< Shown in error messages; #include "..." starts looking in its folder.
  /// NAME=VALUE macros, defined before the first line.
  std::vector<std::pair<std::string, std::string>> defines;
  /// Folders searched by #include "..." besides the file's own. `#include "weft/..."` finds Weft's shader library,
  /// which is embedded in the library and needs no folder.
  std::vector<std::string> include_folders;
  bool debug_lines = false;  ///< Keep source lines (OpLine) for debuggers and error reports.
  /// Where modules are kept, so that the same source is compiled once; null: nowhere. Device::options() has a device's.
  std::shared_ptr<KernelCache> cache;
  MessageCallback messages;  ///< Receives warnings about the cache; empty: they are printed to stderr.

  /// With the cache of DeviceOptions::from_environment(), which `GlslOptions{}` does not have.
  static GlslOptions from_environment();
};

/// Compiles a GLSL compute shader to SPIR-V 1.5 for Vulkan 1.2 and later. #include works without an #extension line.
///
/// Throws Error(compile_failed) with "file:line: message" lines in log(); also for a statement whose brackets,
/// operators and inner statements make it deeper than 4,096 levels. Thread-safe, on threads with small stacks too.
Spirv compile_glsl(const std::string& source, const GlslOptions& options = GlslOptions::from_environment());

/// Paths of the embedded shader library as #include takes them, e.g. "weft/subgroup/scan.glsl".
std::vector<std::string> shader_library_files();

}  // namespace weft
