#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <weft/buffer.h>
#include <weft/stream.h>

#include "support/scalar_type.h"

namespace weft::tools {

// Evaluate expressions from the command line for each of `count` elements in device memory, for --verify. The kernel is
// as plain as possible: one invocation per element.

/// Returns 1 where the --where expression is true, else 0.
std::vector<uint32_t> evaluate_where(Stream& stream, support::ScalarType type, const std::string& where,
                                     const Buffer<std::byte>& data, uint64_t count);

/// Returns the values of the --transform expression, which maps elements of type `from` to type `to`.
std::vector<std::byte> evaluate_transform(Stream& stream, support::ScalarType from, support::ScalarType to,
                                          const std::string& expression, const Buffer<std::byte>& data, uint64_t count);

}  // namespace weft::tools
