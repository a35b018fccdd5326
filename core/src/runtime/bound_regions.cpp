#include "core/src/runtime/bound_regions.h"

namespace weft::core {

std::vector<Region> bound_regions(const Reflection& reflection, const Arguments& arguments) {
  std::vector<Region> regions;
  for (const Reflection::Binding& binding : reflection.bindings) {
    for (uint32_t element = 0; element < binding.count; ++element) {
      Region& region = regions.emplace_back();
      for (const Arguments::Binding& given : arguments.bindings()) {
        const bool matches = given.set == binding.set && given.binding == binding.binding && given.element == element;
        if (matches) region = given.region;
      }
    }
  }
  return regions;
}

}  // namespace weft::core
