#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <weft/buffer.h>
#include <weft/stream.h>

#include "support/scalar_type.h"

namespace weft::tools {

// What expressions of the command line say of each of `count` elements in device memory, by the plainest kernel there
// is: one invocation for each, for --verify.

/// Whether the expression of --where is true: 1 or 0.
std::vector<uint32_t> evaluate_where(Stream& stream, ScalarType type, const std::string& where,
                                     const Buffer<std::byte>& data, uint64_t count);

/// What the expression of --transform makes of elements of type `from`: numbers of type `to`.
std::vector<std::byte> evaluate_transform(Stream& stream, ScalarType from, ScalarType to, const std::string& expression,
                                          const Buffer<std::byte>& data, uint64_t count);

}  // namespace weft::tools
