#include "core/src/runtime/compilers.h"

namespace weft::core {

void require_compilers(const std::string&, const backend::Device&) {}

}  // namespace weft::core
