#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <weft/buffer.h>
#include <weft/stream.h>

#include "support/scalar_type.h"

namespace weft::tools {

/// What the expression of --where says of each of `count` elements in device memory, by the plainest kernel there is.
std::vector<uint32_t> evaluate_where(Stream& stream, ScalarType type, const std::string& where,
                                     const Buffer<std::byte>& data, uint64_t count);

}  // namespace weft::tools
