#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "array_file.h"
#include "input_file.h"

namespace weft::tools {

// NumPy's file format, https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. Own code because
// xtensor's reader (the one in Debian) takes a truncated file as good and knows no format 3.0.

/// What a .npy file starts with.
constexpr std::string_view npy_magic = "\x93NUMPY";

/// Reads the array that `file` starts with. Throws as read_array() says.
Array read_npy(InputFile& file);

/// The header that goes before the data.
std::string npy_header(ScalarType type, std::span<const uint64_t> shape);

}  // namespace weft::tools
