#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include <weft/api.h>
#include <weft/device.h>
#include <weft/element_memory.h>
#include <weft/operator.h>
#include <weft/stream.h>

namespace weft {

/// How a texel's channels are stored.
enum class TexelType : uint8_t {
  unorm8,   ///< Bytes: fractions of 255.
  srgb8,    ///< The same, with the first three channels in sRGB's curve. Means are of linear values.
  float16,  ///< Half floats.
  float32,
};

/// A texel: 1 to 4 channels, one after the other without padding. A plain value.
struct TexelFormat {
  TexelType type = TexelType::unorm8;
  uint32_t channels = 4;

  uint32_t channel_bytes() const { return type == TexelType::float32 ? 4 : type == TexelType::float16 ? 2 : 1; }
  uint32_t bytes() const { return channels * channel_bytes(); }
};

/// How a texel is computed from those that it covers in the level above, for each channel.
enum class MipFilter : uint8_t {
  box,      ///< The mean, weighted by the covered area.
  min,      ///< The smallest; of depths, the nearest.
  max,      ///< The largest.
  min_max,  ///< The smallest in the first and third channel, the largest in the second and fourth.
};

/// Computes the levels of image pyramids (mipmaps) in one dispatch. Each level has half the width and height of the one
/// above, rounded down, and at least 1. The last has one texel.
///
/// Along an axis of even size a texel covers two texels of the level above. Along one of odd size it covers three, two
/// of them in part, and means are weighted by that. So all texels count the same at any size. (Guthe and Heckbert 2005,
/// Non Power-of-Two Mipmap Creation.)
///
/// Each workgroup computes a tile of up to six levels. The last one to finish its part of a later tile goes on with
/// that tile. Nobody waits, so every device runs it. (After AMD's FidelityFX Single Pass Downsampler.) Images whose
/// width and height are multiples of 4 are loaded in wider accesses, if their addresses are multiples of 16.
///
/// Precision, for each level from the one above as it is stored:
///
///   min, max, min_max   exact. Numbers precede NaNs, -0 is below 0; a NaN is the result of NaNs alone
///   box of unorm8       the mean rounded to nearest; of odd sizes at most 0.53 from it. The same on every device
///   box of float32      within 2^-20 of the largest magnitude among the texels covered
///   box of float16      the nearest to such a mean
///   box of srgb8        at most 0.52 from it, after the curve; may differ by one between devices
///
/// Floats are the same on all devices that round to nearest even and keep subnormal numbers, but for the bits of NaNs.
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API Mipmaps {
 public:
  static constexpr uint32_t max_width = 65536;  ///< The largest width and height, in texels.

  struct Options {
    MipFilter filter = MipFilter::box;
    /// Replaces the filter: combines the covered texels, each row from left to right, then the rows. `a` and `b` are
    /// uvec4s of bytes for unorm8 (results above 255 are stored as 255), else vec4s; missing channels are 0. The
    /// identity is not used. Sums of even sizes give histogram pyramids; odd sizes count some texels twice.
    std::optional<Operator> op{};
    uint32_t layers = 1;       ///< Images of the same size, one after the other in memory.
    uint32_t max_levels = 32;  ///< With level 0, the image itself.
  };

  /// Compiles for images of that size. Throws unsupported if texels have an odd number of bytes, or of half words, and
  /// the device lacks 8-bit, or 16-bit, members in buffers. Throws invalid_argument for a width or height of 0 or more
  /// than max_width, for 0 layers or levels, for 0 or more than 4 channels, and for 2^31 texels or more in all layers.
  /// Throws compile_failed if the operator does not compile.
  Mipmaps(const Device& device, const TexelFormat& format, uint32_t width, uint32_t height, const Options& options);
  Mipmaps(const Device& device, const TexelFormat& format, uint32_t width, uint32_t height);

  /// Number of levels, level 0 included.
  uint32_t levels() const;
  /// Width and height of a level, in texels. Throws invalid_argument if there is no such level.
  std::array<uint32_t, 2> size(uint32_t level) const;
  /// Offset of a level in Arguments::levels, in bytes. Level 1 and those below follow one another, row by row and
  /// without padding; so do layers. Throws invalid_argument for level 0, which is the image, and if there is no such
  /// level or layer.
  uint64_t offset(uint32_t level, uint32_t layer = 0) const;

  /// Bytes of the arguments' regions.
  uint64_t image_bytes() const;
  uint64_t level_bytes() const;
  uint64_t counter_bytes() const;

  struct Arguments {
    Region image;     ///< Level 0 of each layer, row by row without padding.
    Region levels;    ///< Room for the other levels.
    Region counters;  ///< All zero, and zero again once the work is done: clear it once, before its first use.
  };
  /// Throws invalid_argument if a region is too small, overlaps another, or does not start at a multiple of 4 bytes (of
  /// 2 or 1, if the bytes of a texel are no multiple of 4 or 2).
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Records the levels of an image, or of Options::layers images. Returns the plan, for their number, sizes and offsets.
/// Without an image records nothing: the plan has the bytes that `levels` needs. The stream keeps the plan and its
/// counters. Throws what Mipmaps and its record() throw, and invalid_argument if the memory holds elements of another
/// size than a texel or a channel.
WEFT_API Mipmaps mipmaps(Stream& stream, const TexelFormat& format, uint32_t width, uint32_t height,
                         const ElementMemory& image, const ElementMemory& levels, const Mipmaps::Options& options = {});

}  // namespace weft
