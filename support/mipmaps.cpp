#include "support/mipmaps.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include <weft/half.h>

#include "support/extremes.h"

namespace weft::support {
namespace {

// What a texel covers along an axis, in shares of `size` (of 2 and 1 if that is even or 1).
struct Taps {
  uint64_t first, number, shares[3], sum;

  Taps(uint64_t i, uint64_t size) : first(2 * i), number(3), shares{size / 2 - i, size / 2, i + 1}, sum(size) {
    if (size > 1 && size % 2 == 1) return;
    number = sum = size == 1 ? 1 : 2;
    shares[0] = shares[1] = 1;
    shares[2] = 0;
  }
  // The shares in 65536ths, which add up to 1 because the middle one takes what rounding leaves.
  std::array<uint64_t, 3> rounded() const {
    const uint64_t one = 1 << 16, start = shares[0] * one / sum, end = number < 3 ? 0 : shares[2] * one / sum;
    return {start, one - start - end, end};
  }
};

double to_linear(double x) { return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4); }
double to_srgb(double x) { return x <= 0.0031308 ? x * 12.92 : 1.055 * std::pow(x, 1 / 2.4) - 0.055; }

// A channel of a level: its bits, and the number that they stand for.
class Channel {
 public:
  Channel(const TexelFormat& format, const Texels& level, uint32_t channel)
      : format_(format), level_(level), channel_(channel) {}

  uint32_t bits(uint64_t x, uint64_t y) const {
    uint32_t value = 0;
    const uint64_t size = format_.channel_bytes();
    std::memcpy(&value, &level_.bytes[(y * level_.width + x) * format_.bytes() + channel_ * size], size);
    return value;
  }
  bool is_curved() const { return format_.type == TexelType::srgb8 && channel_ < 3; }
  double number(uint64_t x, uint64_t y) const {
    const uint32_t value = bits(x, y);
    if (format_.channel_bytes() == 4) return std::bit_cast<float>(value);
    if (format_.channel_bytes() == 2) return float(Half::from_bits(uint16_t(value)));
    return is_curved() ? to_linear(value / 255.0) : value / 255.0;
  }

 private:
  const TexelFormat& format_;
  const Texels& level_;
  uint32_t channel_;
};

bool is_extreme(const Channel& above, const Channel& below, const Taps& columns, const Taps& rows, bool max, uint64_t x,
                uint64_t y) {
  uint64_t best_x = columns.first, best_y = rows.first;
  for (uint64_t v = rows.first; v < rows.first + rows.number; ++v) {
    for (uint64_t u = columns.first; u < columns.first + columns.number; ++u) {
      if (precedes(above.number(u, v), above.number(best_x, best_y), max)) best_x = u, best_y = v;
    }
  }
  if (std::isnan(above.number(best_x, best_y))) return std::isnan(below.number(x, y));
  return below.bits(x, y) == above.bits(best_x, best_y);
}

// Half of the distance between halves near x.
double half_step(double x) { return std::ldexp(1.0, std::max(std::ilogb(x), -14) - 11); }

bool is_mean(const TexelFormat& format, const Channel& above, const Channel& below, const Taps& columns,
             const Taps& rows, uint64_t x, uint64_t y) {
  double sum = 0, most = 0;
  for (uint64_t v = 0; v < rows.number; ++v) {
    for (uint64_t u = 0; u < columns.number; ++u) {
      const double tap = above.number(columns.first + u, rows.first + v);
      sum += double(columns.shares[u] * rows.shares[v]) * tap;
      most = std::max(most, std::fabs(tap));
    }
  }
  const double mean = sum / double(columns.sum * rows.sum), got = below.number(x, y);
  if (format.channel_bytes() == 1) {
    return std::fabs(below.bits(x, y) - 255 * (above.is_curved() ? to_srgb(mean) : mean)) <= 0.52;
  }
  if (std::isnan(mean)) return std::isnan(got);
  if (std::isinf(mean)) return got == mean;
  const bool is_half = format.type == TexelType::float16;
  if (std::isinf(got)) return is_half && std::fabs(mean) > 65519 && std::signbit(got) == std::signbit(mean);
  // Devices may flush floats below 2^-126 to zero.
  const double allowed = std::ldexp(most, -20) + 0x1p-125 + (is_half && mean != 0 ? half_step(mean) : 0);
  return std::fabs(got - mean) <= allowed;
}

bool is_right(const TexelFormat& format, MipFilter filter, const Texels& above, const Texels& below, uint32_t channel,
              uint64_t x, uint64_t y) {
  const Channel from(format, above, channel), to(format, below, channel);
  const Taps columns(x, above.width), rows(y, above.height);
  if (filter == MipFilter::box) {
    if (format.type != TexelType::unorm8) return is_mean(format, from, to, columns, rows, x, y);
    return to.bits(x, y) == mean_of_bytes(format, above, channel, x, y);
  }
  const bool max = filter == MipFilter::max || (filter == MipFilter::min_max && channel % 2 == 1);
  return is_extreme(from, to, columns, rows, max, x, y);
}

}  // namespace

uint32_t mean_of_bytes(const TexelFormat& format, const Texels& above, uint32_t channel, uint64_t x, uint64_t y) {
  const Channel from(format, above, channel);
  const Taps columns(x, above.width), rows(y, above.height);
  const auto across = columns.rounded(), down = rows.rounded();
  uint64_t sum = 1 << 23;
  for (uint64_t v = 0; v < rows.number; ++v) {
    uint64_t row = 128;
    for (uint64_t u = 0; u < columns.number; ++u) row += across[u] * from.bits(columns.first + u, rows.first + v);
    sum += down[v] * (row / 256);
  }
  return uint32_t(sum >> 24);
}

std::optional<std::string> wrong_mip_level(const TexelFormat& format, MipFilter filter, const Texels& above,
                                           const Texels& below) {
  for (uint64_t y = 0; y < below.height; ++y) {
    for (uint64_t x = 0; x < below.width; ++x) {
      for (uint32_t c = 0; c < format.channels; ++c) {
        if (is_right(format, filter, above, below, c, x, y)) continue;
        const Channel channel(format, below, c);
        return "channel " + std::to_string(c) + " of texel (" + std::to_string(x) + ", " + std::to_string(y) +
               ") is wrong: " + std::to_string(channel.number(x, y));
      }
    }
  }
  return std::nullopt;
}

std::optional<std::string> wrong_mipmaps(const Mipmaps& plan, const TexelFormat& format, MipFilter filter,
                                         uint32_t layers, std::span<const std::byte> image,
                                         std::span<const std::byte> levels) {
  for (uint32_t layer = 0; layer < layers; ++layer) {
    const auto texels_of = [&](uint32_t level) {
      const auto [width, height] = plan.size(level);
      const uint64_t bytes = uint64_t{width} * height * format.bytes();
      const std::span<const std::byte> memory = level == 0 ? image : levels;
      return Texels{memory.subspan(level == 0 ? layer * bytes : plan.offset(level, layer), bytes), width, height};
    };
    for (uint32_t level = 1; level < plan.levels(); ++level) {
      const auto wrong = wrong_mip_level(format, filter, texels_of(level - 1), texels_of(level));
      if (!wrong) continue;
      return "level " + std::to_string(level) + (layers > 1 ? " of layer " + std::to_string(layer) : "") + ": " +
             *wrong;
    }
  }
  return std::nullopt;
}

}  // namespace weft::support
