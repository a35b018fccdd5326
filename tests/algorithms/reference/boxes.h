#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

/// Boxes on the host, with the rules of shaders/thread/box.glsl.
namespace weft::test {

struct TestBox {
  std::array<float, 3> low, high;
};

/// The bounds of no boxes: what bounds of boxes start from.
TestBox no_box();

/// How boxes are distributed.
enum class BoxKind {
  scattered,  ///< Small ones, anywhere.
  clustered,  ///< Most at few points.
  equal,      ///< All the same.
  line,       ///< Along one axis.
  unusual,    ///< Among scattered ones: NaNs, infinities, empty boxes, zeros of both signs, points, denormals.
};
constexpr BoxKind all_box_kinds[] = {BoxKind::scattered, BoxKind::clustered, BoxKind::equal, BoxKind::line,
                                     BoxKind::unusual};
const char* to_string(BoxKind kind);

std::vector<TestBox> make_boxes(BoxKind kind, size_t count, std::mt19937_64& generator);

/// The low corners of such boxes, in the first D dimensions.
template <size_t D>
std::vector<std::array<float, D>> make_points(BoxKind kind, size_t count, std::mt19937_64& generator) {
  std::vector<std::array<float, D>> points(count);
  const std::vector<TestBox> boxes = make_boxes(kind, count, generator);
  for (size_t i = 0; i < count; ++i) std::copy_n(boxes[i].low.begin(), D, points[i].begin());
  return points;
}

constexpr bool is_nan(float x) { return (std::bit_cast<uint32_t>(x) & 0x7fffffff) > 0x7f800000; }
/// The order bits of a float: an unsigned integer that compares as the float does, with -0 below +0.
constexpr uint32_t unsigned_order_bits(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  return bits >> 31 ? ~bits : bits | 0x80000000;
}
/// The smaller and the larger number. NaNs give way to numbers; of two, one is chosen by its bits.
inline float lower(float a, float b) {
  const auto rank = [](float x) {
    return unsigned_order_bits(x) + (is_nan(x) && std::signbit(x) ? int64_t(1) << 32 : 0);
  };
  return rank(b) < rank(a) ? b : a;
}
inline float upper(float a, float b) {
  const auto rank = [](float x) {
    return unsigned_order_bits(x) - (is_nan(x) && !std::signbit(x) ? int64_t(1) << 32 : 0);
  };
  return rank(b) > rank(a) ? b : a;
}

TestBox united(const TestBox& a, const TestBox& b);
float surface_area(const TestBox& box);

}  // namespace weft::test
