#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/algorithms/reference/boxes.h"

/// Morton codes on the host, bit by bit.
namespace weft::test {

/// The bounds of points along one axis, divided into 2^bits cells.
class TestAxis {
 public:
  TestAxis(float low, float high, uint32_t bits) : low_(low), bits_(bits) {
    const float extent = 0.5f * high - 0.5f * low, cells = std::ldexp(1.0f, int(bits));
    if (!(extent >= 0x1p-91f) || !std::isfinite(extent)) return;
    const auto fits = [&](float scale) { return scale * extent <= cells; };
    scale_ = cells / extent;
    while (!fits(scale_)) scale_ = std::nextafter(scale_, 0.0f);
    while (fits(std::nextafter(scale_, INFINITY))) scale_ = std::nextafter(scale_, INFINITY);
  }

  uint32_t cell(float x) const {
    if (is_nan(x) || scale_ == 0) return 0;
    const float cell = (0.5f * x - 0.5f * low_) * scale_, last = std::nextafter(std::ldexp(1.0f, int(bits_)), 0.0f);
    if (cell >= last) return ~0u >> (32 - bits_);
    return cell > 0 ? uint32_t(cell) : 0;
  }

 private:
  float low_, scale_ = 0;
  uint32_t bits_;
};

template <size_t D>
struct TestBounds {
  std::array<float, D> low, high;
};

template <size_t D>
constexpr uint32_t axis_bits(bool wide) {
  return (D == 2 ? 16 : 10) * (wide ? 2 : 1) + (D == 3 && wide ? 1 : 0);
}

/// The box of the points, without coordinates that are not finite.
template <size_t D>
TestBounds<D> finite_bounds(const std::vector<std::array<float, D>>& points) {
  TestBounds<D> bounds;
  bounds.low.fill(INFINITY);
  bounds.high.fill(-INFINITY);
  for (const std::array<float, D>& point : points) {
    for (size_t axis = 0; axis < D; ++axis) {
      if (!std::isfinite(point[axis])) continue;
      bounds.low[axis] = std::min(bounds.low[axis], point[axis]);
      bounds.high[axis] = std::max(bounds.high[axis], point[axis]);
    }
  }
  return bounds;
}

template <size_t D>
uint64_t morton_code(const std::array<uint32_t, D>& cell, uint32_t bits) {
  uint64_t code = 0;
  for (uint32_t bit = bits; bit-- > 0;) {
    for (const uint32_t coordinate : cell) code = code << 1 | (coordinate >> bit & 1);
  }
  return code;
}

template <size_t D>
std::vector<uint64_t> morton_codes(const std::vector<std::array<float, D>>& points, const TestBounds<D>& bounds,
                                   bool wide) {
  const uint32_t bits = axis_bits<D>(wide);
  std::vector<TestAxis> axes;
  for (size_t axis = 0; axis < D; ++axis) axes.emplace_back(bounds.low[axis], bounds.high[axis], bits);
  std::vector<uint64_t> codes;
  for (const std::array<float, D>& point : points) {
    std::array<uint32_t, D> cell;
    for (size_t axis = 0; axis < D; ++axis) cell[axis] = axes[axis].cell(point[axis]);
    codes.push_back(morton_code(cell, bits));
  }
  return codes;
}

}  // namespace weft::test
