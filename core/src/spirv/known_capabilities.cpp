#include <array>
#include <set>
#include <spirv-tools/libspirv.hpp>
#include <spirv/unified1/spirv.hpp>

#include "core/src/spirv/capabilities.h"

namespace weft::core {

bool tools_know(uint32_t capability) {
  static const std::set<uint32_t> known = [] {
    std::set<uint32_t> numbers;
    const spvtools::Context context(SPV_ENV_UNIVERSAL_1_6);
    for (const Capability& candidate : all_capabilities()) {
      const std::array<uint32_t, 7> module{spv::MagicNumber, 0x00010600, 0, 1, 0, (2u << 16) | spv::OpCapability,
                                           candidate.number};
      if (spvBinaryParse(context.CContext(), nullptr, module.data(), module.size(), nullptr, nullptr, nullptr) ==
          SPV_SUCCESS) {
        numbers.insert(candidate.number);
      }
    }
    return numbers;
  }();
  return known.contains(capability);
}

}  // namespace weft::core
