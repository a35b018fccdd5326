#include "core/src/glsl/library_module.h"

#include <cstring>
#include <span>

#include <weft/error.h>
#include <weft/glsl.h>

#include "core/src/glsl/shader_library.h"
#include "core/src/runtime/backend.h"
#include "core/src/runtime/compilers.h"
#include "core/src/runtime/messages.h"
#include "core/src/spirv/stripping.h"

namespace weft::core {
namespace {

std::string text_of(const std::string& file) {
  for (const EmbeddedFile& embedded : shader_library()) {
    if (embedded.name == file) return std::string(embedded.text);
  }
  own_mistake("lacks the kernel '" + file + "'");
}

Spirv compiled(const backend::Device& device, const std::string& file, const Macros& macros) {
  require_compilers("kernel '" + file + "' with these macros", device);
  GlslOptions options;
  options.name = file;
  options.defines = macros;
  options.cache = device.options().cache;
  options.messages = device.options().messages;
  return compile_glsl(text_of(file), options);
}

}  // namespace

Spirv library_module(const backend::Device& device, const std::string& file, const Macros& macros) {
  if (!device.kernels.has_packs() && !device.kernels.made_pack) return compiled(device, file, macros);
  CacheKey key;
  key.add(file);
  for (const auto& [name, value] : macros) key.add(name).add(value);
  const auto bytes = device.kernels.get_packed({"library", key, file}, [&] {
    // Names would be half of a pack. A kernel without them is another module, so it has none on every device with
    // packs.
    const std::vector<uint32_t> words = stripped(compiled(device, file, macros).words);
    const auto view = std::as_bytes(std::span(words));
    return std::vector<std::byte>(view.begin(), view.end());
  });
  Spirv module{std::vector<uint32_t>(bytes.size() / sizeof(uint32_t)), file};
  std::memcpy(module.words.data(), bytes.data(), module.words.size() * sizeof(uint32_t));
  return module;
}

}  // namespace weft::core
