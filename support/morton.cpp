#include "support/morton.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::support {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// One axis of a grid of 2^bits cells.
struct Axis {
  float low, scale = 0;
  uint32_t bits;

  Axis(float first, float last, uint32_t cell_bits) : low(first), bits(cell_bits) {
    const float extent = 0.5f * last - 0.5f * first, cells = std::ldexp(1.0f, int(bits));
    if (!(extent >= 0x1p-91f && extent < infinity)) return;
    const auto fits = [&](float wanted) { return wanted * extent <= cells; };
    scale = cells / extent;
    while (!fits(scale)) scale = std::nextafter(scale, 0.0f);
    while (fits(std::nextafter(scale, infinity))) scale = std::nextafter(scale, infinity);
  }

  uint32_t cell(float x) const {
    if (std::isnan(x) || scale == 0) return 0;
    const float cell = (0.5f * x - 0.5f * low) * scale, last = std::nextafter(std::ldexp(1.0f, int(bits)), 0.0f);
    return cell >= last ? uint32_t((uint64_t{1} << bits) - 1) : uint32_t(std::max(cell, 0.0f));
  }
};

std::vector<float> bounds_of(std::span<const float> points, uint32_t dimensions) {
  std::vector<float> bounds(dimensions, infinity);
  bounds.resize(2 * dimensions, -infinity);
  for (size_t i = 0; i < points.size(); ++i) {
    if (!std::isfinite(points[i])) continue;
    float &low = bounds[i % dimensions], &high = bounds[dimensions + i % dimensions];
    low = std::min(low, points[i]);
    high = std::max(high, points[i]);
  }
  return bounds;
}

}  // namespace

std::vector<uint64_t> morton_codes(std::span<const float> points, uint32_t dimensions, bool wide,
                                   std::span<const float> bounds) {
  if (dimensions == 0) return {};
  const std::vector<float> own = bounds.empty() ? bounds_of(points, dimensions) : std::vector<float>();
  if (bounds.empty()) bounds = own;
  const uint32_t bits = dimensions == 2 ? (wide ? 32 : 16) : (wide ? 21 : 10);
  std::vector<Axis> axes;
  for (uint32_t axis = 0; axis < dimensions; ++axis) axes.emplace_back(bounds[axis], bounds[axis + dimensions], bits);
  std::vector<uint64_t> codes(points.size() / dimensions);
  for (size_t i = 0; i < codes.size(); ++i) {
    for (uint32_t axis = 0; axis < dimensions; ++axis) {
      const uint64_t cell = axes[axis].cell(points[i * dimensions + axis]);
      for (uint32_t bit = 0; bit < bits; ++bit) {
        codes[i] |= (cell >> bit & 1) << (bit * dimensions + (dimensions - 1 - axis));
      }
    }
  }
  return codes;
}

}  // namespace weft::support
