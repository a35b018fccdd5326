#pragma once

#include <cstdint>
#include <istream>
#include <span>
#include <string>
#include <string_view>

#include "array_file.h"

namespace weft::tools {

// NumPy's file format, https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. Own code because
// xtensor's reader (the one in Debian) takes a truncated file as good and knows no format 3.0.

/// What a .npy file starts with.
constexpr std::string_view npy_magic = "\x93NUMPY";

/// Reads the array of a file whose first bytes, as many as the magic has, are read already; `name` is for messages.
/// Throws as read_array() says.
Array read_npy(std::istream& file, std::string_view first_bytes, const std::string& name);

/// The header that goes before the data.
std::string npy_header(ScalarType type, std::span<const uint64_t> shape);

}  // namespace weft::tools
