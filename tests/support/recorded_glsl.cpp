#include <cstdlib>
#include <filesystem>
#include <span>

#include <weft/glsl.h>

#include "core/src/platform/files.h"
#include "core/src/runtime/cache.h"
#include "tests/support/files.h"

// Stands between a test program and compile_glsl(), by the linker's --wrap. Keeps the modules that the program compiles
// in the folder WEFT_TEST_GLSL, and takes those that are there from it. So the same tests run with a Weft that has no
// compilers, on the modules of one that has them.
#define MANGLED "_ZN4weft12compile_glslERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERKNS_11GlslOptionsE"

namespace weft::test {

Spirv real_compile_glsl(const std::string& source, const GlslOptions& options) asm("__real_" MANGLED);
Spirv recorded_compile_glsl(const std::string& source, const GlslOptions& options) asm("__wrap_" MANGLED);

Spirv recorded_compile_glsl(const std::string& source, const GlslOptions& options) {
  const char* const folder = std::getenv("WEFT_TEST_GLSL");
  if (!folder) return real_compile_glsl(source, options);
  core::CacheKey key = core::CacheKey().add(source).add(options.name).add(uint64_t{options.debug_lines});
  for (const auto& [name, value] : options.defines) key.add(name).add(value);
  const std::filesystem::path file = std::filesystem::path(folder) / key.hex();
  if (exists(file)) return spirv_from_bytes(read_file(file), options.name);
  const Spirv module = real_compile_glsl(source, options);
  const auto bytes = std::as_bytes(std::span(module.words));
  // Other threads may look for it now: it is there when it is whole.
  const std::filesystem::path unfinished = std::filesystem::path(folder) / core::unguessable_name();
  write_file(unfinished, {bytes.begin(), bytes.end()});
  std::filesystem::rename(unfinished, file);
  return module;
}

}  // namespace weft::test
