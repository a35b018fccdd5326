#pragma once

#include <cstdint>
#include <vector>

namespace weft::core {

/// Without names, sources and lines, which a driver does not need. Reflection finds no names of arguments then.
std::vector<uint32_t> stripped(const std::vector<uint32_t>& module);

}  // namespace weft::core
