#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "support/array_file.h"
#include "support/input_file.h"

namespace weft::support {

// NumPy's file format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. Written here because
// xtensor's reader, the one in Debian, accepts truncated files and does not know format 3.0.

/// The first bytes of a .npy file.
constexpr std::string_view npy_magic = "\x93NUMPY";

/// Reads the array at the start of `file`. Throws as read_array() does.
Array read_npy(InputFile& file);

/// Returns the header that precedes the data.
std::string npy_header(ScalarType type, std::span<const uint64_t> shape);

}  // namespace weft::support
