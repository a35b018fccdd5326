#include "core/src/runtime/environment.h"

#include <sstream>

#include <weft/device_options.h>
#include <weft/glsl.h>
#include <weft/plan_recorder.h>

#include "core/src/platform/utf8.h"
#include "core/src/platform/variables.h"
#include "core/src/runtime/compilers.h"
#include "core/src/runtime/disk_cache.h"
#include "core/src/runtime/tuning_file.h"

namespace weft {
namespace {

// Unset and empty are the same for most variables.
std::string text_of(const char* variable) { return core::environment_variable(variable).value_or(""); }

bool is_set_but_empty(const char* variable) { return core::environment_variable(variable) == ""; }

struct CacheFolder {
  std::filesystem::path path;  // empty: there is none
  core::DiskCache::Named named = core::DiskCache::Named::by_default;
};

// Nothing where the cache is turned off.
std::optional<CacheFolder> cache_folder() {
  if (is_set_but_empty("WEFT_CACHE_DIR")) return std::nullopt;
  if (const std::string own = text_of("WEFT_CACHE_DIR"); !own.empty())
    return CacheFolder{core::utf8_path(own), core::DiskCache::Named::by_user};
  const std::filesystem::path caches = core::caches_folder();
  return caches.empty() ? CacheFolder{} : CacheFolder{caches / "weft"};
}

std::shared_ptr<KernelCache> default_cache() {
  const auto folder = cache_folder();
  return folder ? std::make_shared<core::DiskCache>(folder->path, folder->named) : nullptr;
}

Tuning default_tuning() {
  const auto file = core::tuning_file();
  if (!file) return {};
  const bool is_named = !text_of("WEFT_TUNING").empty();
  if (!is_named && !core::has_compilers()) return {};  // packs have kernels for the tuning that they were made with
  return is_named ? Tuning::read(*file) : core::read_default_tuning(*file);
}

std::vector<Pack> default_packs() {
  std::vector<Pack> packs;
  std::istringstream paths(text_of("WEFT_PACKS"));
  for (std::string path; std::getline(paths, path, core::path_separator);) {
    if (!path.empty()) packs.push_back(Pack::open(core::utf8_path(path)));
  }
  return packs;
}

}  // namespace

DriverLibraries DriverLibraries::from_environment() {
  return {text_of("WEFT_CUDA_DRIVER"), text_of("WEFT_NVRTC"), text_of("WEFT_HIP_DRIVER"), text_of("WEFT_HIPRTC"),
          text_of("WEFT_COMGR")};
}

DeviceOptions DeviceOptions::from_environment() {
  DeviceOptions options;
  options.validation = text_of("WEFT_VALIDATION") == "1";
  options.cache = default_cache();
  options.tuning = default_tuning();
  options.packs = default_packs();
  if (const std::string list = text_of("WEFT_RECORD_PLANS"); !list.empty()) {
    options.recorder = PlanRecorder::to_file(core::utf8_path(list));
  }
  options.compiler = text_of("WEFT_CXX");
  if (options.compiler.empty()) options.compiler = text_of("CXX");
  options.libraries = DriverLibraries::from_environment();
  return options;
}

GlslOptions GlslOptions::from_environment() {
  GlslOptions options;
  options.cache = default_cache();
  return options;
}

std::optional<std::filesystem::path> core::tuning_file() {
  if (is_set_but_empty("WEFT_TUNING")) return std::nullopt;
  if (const std::string own = text_of("WEFT_TUNING"); !own.empty()) return core::utf8_path(own);
  const auto folder = cache_folder();
  if (!folder || folder->path.empty()) return std::nullopt;
  return folder->path / "tuning";
}

std::string core::program_folders() { return environment_variable("PATH").value_or(usual_program_folders); }

}  // namespace weft
