#include <cstring>

#include <weft/error.h>
#include <weft/spirv.h>

#include "core/src/spirv/instructions.h"

namespace weft {
namespace {

constexpr uint32_t magic = 0x07230203;

uint32_t byte_swapped(uint32_t word) {
  return (word >> 24) | ((word >> 8) & 0xff00u) | ((word << 8) & 0xff0000u) | (word << 24);
}

}  // namespace

Spirv spirv_from_bytes(std::span<const std::byte> bytes, std::string name) {
  const auto refuse = [&](const std::string& reason) {
    throw Error(ErrorCode::invalid_argument, "'" + name + "' is not a SPIR-V module: " + reason);
  };
  if (bytes.size() < core::spirv_header_words * sizeof(uint32_t)) {
    refuse("it has " + std::to_string(bytes.size()) + " bytes, but the header alone has 20.");
  }
  if (bytes.size() % sizeof(uint32_t) != 0) {
    refuse("its " + std::to_string(bytes.size()) + " bytes are no multiple of 4; it may be cut off.");
  }
  Spirv module{std::vector<uint32_t>(bytes.size() / sizeof(uint32_t)), std::move(name)};
  std::memcpy(module.words.data(), bytes.data(), bytes.size());
  if (module.words[0] == byte_swapped(magic)) {
    for (uint32_t& word : module.words) word = byte_swapped(word);
  }
  if (module.words[0] != magic) {
    name = module.name;
    refuse("it does not start with SPIR-V's magic number 0x07230203.");
  }
  return module;
}

}  // namespace weft
