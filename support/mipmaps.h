#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <weft/mipmaps.h>

namespace weft::support {

/// An image: texels row by row.
struct Texels {
  std::span<const std::byte> bytes;
  uint32_t width = 0, height = 0;
};

/// Describes the first channel of `below` that is not what the filter makes of `above` on the CPU, within the precision
/// that weft/mipmaps.h states. Returns nothing if all are right.
std::optional<std::string> wrong_mip_level(const TexelFormat& format, MipFilter filter, const Texels& above,
                                           const Texels& below);

/// Returns the mean, in integers, that MipFilter::box gives a channel of texel (x, y) below an image of unorm8.
uint32_t mean_of_bytes(const TexelFormat& format, const Texels& above, uint32_t channel, uint64_t x, uint64_t y);

/// As wrong_mip_level() for all levels of a plan of `layers` layers.
std::optional<std::string> wrong_mipmaps(const Mipmaps& plan, const TexelFormat& format, MipFilter filter,
                                         uint32_t layers, std::span<const std::byte> image,
                                         std::span<const std::byte> levels);

}  // namespace weft::support
