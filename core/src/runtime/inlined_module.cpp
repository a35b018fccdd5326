#include "core/src/runtime/inlined_module.h"

#include <cstring>
#include <span>

#include "core/src/runtime/backend.h"
#include "core/src/runtime/compilers.h"
#include "core/src/spirv/inlining.h"

namespace weft::core {

bool takes_inlined(const DeviceInfo& device) {
  return device.backend == "vulkan" && device.vendor == DeviceVendor::nvidia;
}

std::vector<uint32_t> inlined_module(const backend::Device& device, const Spirv& module) {
  const auto bytes = device.kernels.get_packed({"inlined", CacheKey().add(module.words), module.name}, [&] {
    require_compilers("kernel '" + module.name + "' without calls, which NVIDIA's driver needs,", device);
    const std::vector<uint32_t> words = with_functions_inlined(module.words);
    const auto view = std::as_bytes(std::span(words));
    return std::vector<std::byte>(view.begin(), view.end());
  });
  std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(uint32_t));
  return words;
}

}  // namespace weft::core
