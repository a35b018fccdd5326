#pragma once

#include <cstddef>
#include <vector>

#include "tools/primitive.h"

namespace weft::tools {

/// Returns each number of the input once, in any order, verified with --verify. Numbers are compared as bits.
std::vector<std::byte> distinct_numbers(const PrimitiveOptions& options, const support::Array& input);

}  // namespace weft::tools
