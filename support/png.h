#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "support/array_file.h"

namespace weft::support {

/// Whether the name ends in .png.
bool is_png(const std::string& name);

/// Reads an image as bytes of shape (height, width, channels), with 1, 3 or 4 channels: grey and alpha become red,
/// green, blue and alpha; a transparent colour becomes alpha; of 16 bits the upper 8 are kept. Throws io_failed if the
/// file cannot be read, invalid_argument if it is no PNG file.
Array read_png(const std::string& name);

/// Returns the bytes of a PNG file with an image of that shape: (height, width) or (height, width, channels).
std::vector<std::byte> png_of(std::span<const uint64_t> shape, std::span<const std::byte> image);

}  // namespace weft::support
