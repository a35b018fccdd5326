#include "core/src/runtime/compilers.h"

namespace weft::core {

bool has_compilers() { return true; }

void require_compilers(const std::string&, const backend::Device&) {}

}  // namespace weft::core
