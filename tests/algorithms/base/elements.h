#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include <weft/element.h>
#include <weft/operator.h>

#include "tests/support/test.h"

template <>
class std::numeric_limits<weft::Half> : public std::numeric_limits<float> {
 public:
  static weft::Half infinity() { return weft::Half(std::numeric_limits<float>::infinity()); }
};

/// Element types and operators, on the host and as Weft takes them.
namespace weft::test {

/// Where indices of 32 bits end.
constexpr uint64_t index_limit = uint64_t(1) << 32;

/// x -> x * scale + shift, modulo 2^32. Composition is associative and not commutative.
struct AffineMap {
  uint32_t scale, shift;
};
/// Smallest, largest and number of elements.
struct Range {
  int32_t low, high;
  uint32_t count;
};
/// A 2x2 matrix of integers modulo 2^32: not commutative.
struct Matrix {
  std::array<uint32_t, 4> m;
};
/// An affine map and a 3-vector: five words, so that elements have every alignment.
struct Five {
  AffineMap map;
  std::array<uint32_t, 3> bits;
};

/// A stretch of consecutive numbers, empty if the size is 0. Combining also records whether the operands were
/// neighbours in order, so the result shows elements that were missed, taken twice or out of order.
struct Stretch {
  uint32_t first, last, size, intact;
};

/// What tests need to know about an element type T; specialized below.
template <typename T>
struct Elements {
  static Element element() { return Element::of<T>(); }
  static T random(std::mt19937_64& generator) { return random_value<T>(generator); }
};

template <>
struct Elements<Half> {
  static Element element() { return Element::of<Half>(); }
  static Half random(std::mt19937_64& generator) { return Half(float(generator() % 3) - 1); }
};

inline uint32_t random_word(std::mt19937_64& generator) { return uint32_t(generator()); }

template <>
struct Elements<AffineMap> {
  static Element element() { return Element::structure({{"uint", "scale"}, {"uint", "shift"}}); }
  static AffineMap random(std::mt19937_64& g) { return {random_word(g) | 1, random_word(g)}; }
};
template <>
struct Elements<Range> {
  static Element element() { return Element::structure({{"int", "low"}, {"int", "high"}, {"uint", "count"}}); }
  static Range random(std::mt19937_64& g) {
    const auto value = int32_t(random_word(g));
    return {value, value, 1};
  }
};
template <>
struct Elements<Matrix> {
  static Element element() { return Element::structure({{"uvec2", "first"}, {"uvec2", "second"}}); }
  static Matrix random(std::mt19937_64& g) {
    return {{random_word(g), random_word(g), random_word(g), random_word(g)}};
  }
};
template <>
struct Elements<Five> {
  static Element element() { return Element::structure({{"uint", "scale"}, {"uint", "shift"}, {"uvec3", "bits"}}); }
  static Five random(std::mt19937_64& g) {
    return {Elements<AffineMap>::random(g), {random_word(g), random_word(g), random_word(g)}};
  }
};

template <>
struct Elements<Stretch> {
  static Element element() {
    return Element::structure({{"uint", "first"}, {"uint", "last"}, {"uint", "size"}, {"uint", "intact"}});
  }
};

template <typename T>
std::vector<T> random_elements(size_t count, std::mt19937_64& generator) {
  std::vector<T> elements(count);
  for (T& element : elements) element = Elements<T>::random(generator);
  return elements;
}

/// Half floats hold whole numbers up to 2048 exactly, which sums of a million random steps can exceed. These steps turn
/// back in time, so that no sum of consecutive steps does.
template <>
inline std::vector<Half> random_elements(size_t count, std::mt19937_64& generator) {
  constexpr float farthest = 1000;
  std::vector<Half> elements(count);
  float sum = 0;
  for (Half& element : elements) {
    element = Elements<Half>::random(generator);
    if (std::abs(sum + float(element)) > farthest) element = Half(-float(element));
    sum += float(element);
  }
  return elements;
}

/// Each stretch is the neighbour of the previous one.
template <>
inline std::vector<Stretch> random_elements(size_t count, std::mt19937_64& generator) {
  std::vector<Stretch> elements(count);
  uint32_t number = random_word(generator);
  for (Stretch& element : elements) element = {number, number, 1, 1}, ++number;
  return elements;
}

/// An operator on the device and on the host.
template <typename T>
struct TestOperator {
  Operator on_device;
  T (*on_host)(const T& a, const T& b);
  T identity;
};

template <typename T>
TestOperator<T> sum_of() {
  return {Operator::sum(),
          [](const T& a, const T& b) {
            if constexpr (std::is_integral_v<T>) {
              return T(std::make_unsigned_t<T>(a) + std::make_unsigned_t<T>(b));  // wraps, also for signed ones
            } else {
              return T(a + b);
            }
          },
          T(0)};
}
template <typename T>
TestOperator<T> min_of() {
  using Limits = std::numeric_limits<T>;
  return {Operator::min(), [](const T& a, const T& b) { return std::min(a, b); },
          Limits::has_infinity ? Limits::infinity() : T(Limits::max())};
}
template <typename T>
TestOperator<T> max_of() {
  using Limits = std::numeric_limits<T>;
  return {Operator::max(), [](const T& a, const T& b) { return std::max(a, b); },
          Limits::has_infinity ? T(-Limits::infinity()) : T(Limits::lowest())};
}

inline AffineMap compose(const AffineMap& a, const AffineMap& b) {
  return {a.scale * b.scale, b.scale * a.shift + b.shift};
}

/// The operator that tests use for a struct.
template <typename T>
TestOperator<T> operator_of();

template <>
inline TestOperator<AffineMap> operator_of() {
  return {
      Operator::custom("compose", "T(a.scale * b.scale, b.scale * a.shift + b.shift)", "T(1u, 0u)"), compose, {1, 0}};
}
template <>
inline TestOperator<Range> operator_of() {
  return {Operator::custom("range", "T(min(a.low, b.low), max(a.high, b.high), a.count + b.count)",
                           "T(0x7fffffff, int(0x80000000), 0u)", true),
          [](const Range& a, const Range& b) {
            return Range{std::min(a.low, b.low), std::max(a.high, b.high), a.count + b.count};
          },
          {INT32_MAX, INT32_MIN, 0}};
}
template <>
inline TestOperator<Matrix> operator_of() {
  return {Operator::custom(
              "multiply", "T(a.first.x * b.first + a.first.y * b.second, a.second.x * b.first + a.second.y * b.second)",
              "T(uvec2(1u, 0u), uvec2(0u, 1u))"),
          [](const Matrix& a, const Matrix& b) {
            const auto& [x, y] = std::pair(a.m, b.m);
            return Matrix{{x[0] * y[0] + x[1] * y[2], x[0] * y[1] + x[1] * y[3], x[2] * y[0] + x[3] * y[2],
                           x[2] * y[1] + x[3] * y[3]}};
          },
          {{1, 0, 0, 1}}};
}
template <>
inline TestOperator<Five> operator_of() {
  return {Operator::custom("compose", "T(a.scale * b.scale, b.scale * a.shift + b.shift, a.bits ^ b.bits)",
                           "T(1u, 0u, uvec3(0u))"),
          [](const Five& a, const Five& b) {
            return Five{compose(a.map, b.map), {a.bits[0] ^ b.bits[0], a.bits[1] ^ b.bits[1], a.bits[2] ^ b.bits[2]}};
          },
          {{1, 0}, {0, 0, 0}}};
}

template <>
inline TestOperator<Stretch> operator_of() {
  return {Operator::custom("concatenate",
                           "a.size == 0u ? b : b.size == 0u ? a : T(a.first, b.last, a.size + b.size, "
                           "a.last + 1u == b.first ? a.intact & b.intact : 0u)",
                           "T(0u, 0u, 0u, 1u)"),
          [](const Stretch& a, const Stretch& b) {
            if (a.size == 0 || b.size == 0) return a.size == 0 ? b : a;
            return Stretch{a.first, b.last, a.size + b.size, a.last + 1 == b.first ? a.intact & b.intact : 0};
          },
          {0, 0, 0, 1}};
}

template <>
struct TypeName<AffineMap> {
  static constexpr const char* value = "a struct of 2 words";
};
template <>
struct TypeName<Range> {
  static constexpr const char* value = "a struct of 3 words";
};
template <>
struct TypeName<Matrix> {
  static constexpr const char* value = "a struct of 4 words";
};
template <>
struct TypeName<Five> {
  static constexpr const char* value = "a struct of 5 words";
};

template <>
struct TypeName<Stretch> {
  static constexpr const char* value = "stretches";
};

/// Declares the running test unsupported if the device lacks the element type.
template <typename T>
void need_element(const Device& device) {
  if (const std::string lacking = lacks_type<T>(device.info()); !lacking.empty()) unsupported(lacking);
}

inline bool has_int64_atomics(const Device& device) {
  return device.info().features.int64 && device.info().features.buffer_int64_atomics;
}
inline void need_int64_atomics(const Device& device, bool needed = true) {
  if (needed && !has_int64_atomics(device)) unsupported("no 64-bit atomics on buffers");
}

/// The value type of sorts without values and of sets.
struct NoValue {
  bool operator==(const NoValue&) const = default;
};

}  // namespace weft::test

#define WEFT_TEST_SCALARS uint32_t, int32_t, float, uint64_t, int64_t, double
// Scalars that share a word in memory. Two sets, so that each kernel is tested with some.
#define WEFT_TEST_NARROW uint8_t, int16_t, weft::Half
#define WEFT_TEST_OTHER_NARROW int8_t, uint16_t
#define WEFT_TEST_STRUCTS weft::test::AffineMap, weft::test::Range, weft::test::Matrix, weft::test::Five
