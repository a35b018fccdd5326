#pragma once

#include <weft/compact.h>
#include <weft/enqueue.h>

#include "tests/algorithms/base/device_counts.h"
#include "tests/algorithms/base/elements.h"
#include "tests/algorithms/base/fields.h"
#include "tests/algorithms/base/sizes.h"

namespace weft::test {

/// A predicate on the device and on the host.
template <typename T>
struct TestPredicate {
  Selection on_device;
  bool (*on_host)(const T& x, uint64_t i);
};

/// The predicates of tests, which select about half of the elements; structs by one field.
template <typename T>
TestPredicate<T> predicate_of() {
  if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, Half>) {
    return {Selection::when("x > T(0) || i % 7u == 0u"), [](const T& x, uint64_t i) { return x > 0 || i % 7 == 0; }};
  } else if constexpr (std::is_integral_v<T>) {
    return {Selection::when("(x & T(3)) > T(1)"), [](const T& x, uint64_t) { return (x & 3) > 1; }};
  } else if constexpr (std::is_same_v<T, AffineMap>) {
    return {Selection::when("x.shift % 3u != i % 3u"),
            [](const AffineMap& x, uint64_t i) { return x.shift % 3 != uint32_t(i) % 3; }};
  } else if constexpr (std::is_same_v<T, Range>) {
    return {Selection::when("x.low < 0"), [](const Range& x, uint64_t) { return x.low < 0; }};
  } else if constexpr (std::is_same_v<T, Matrix>) {
    return {Selection::when("x.first.x > x.second.y"), [](const Matrix& x, uint64_t) { return x.m[0] > x.m[3]; }};
  } else if constexpr (std::is_same_v<T, Mixed>) {
    return {Selection::when("x.sum > int64_t(0)"), [](const Mixed& x, uint64_t) { return x.sum > 0; }};
  } else if constexpr (std::is_same_v<T, Pixel>) {
    return {Selection::when("x.green > x.red"), [](const Pixel& x, uint64_t) { return x.green > x.red; }};
  } else if constexpr (std::is_same_v<T, Texel>) {
    return {Selection::when("x.weight > float16_t(0)"), [](const Texel& x, uint64_t) { return float(x.weight) > 0; }};
  } else {
    return {Selection::when("x.bits.z % 2u == 1u"), [](const Five& x, uint64_t) { return x.bits[2] % 2 == 1; }};
  }
}

/// Flags of which so many per cent are set, to any value but zero.
template <typename F>
std::vector<F> random_flags(size_t count, uint64_t per_cent, std::mt19937_64& generator) {
  std::vector<F> flags(count);
  for (F& flag : flags) {
    if (generator() % 100 < per_cent) flag = F(uint32_t(1) << generator() % (8 * sizeof(F)));
  }
  return flags;
}

template <typename F>
void need_flags(const Device& device) {
  if (sizeof(F) == 1 && !device.info().features.storage8) unsupported("no 8-bit members in buffers");
}

/// The elements that `keep` selects, in order.
template <typename T, typename Keep>
std::vector<T> selected_elements(const std::vector<T>& data, size_t count, Keep&& keep) {
  std::vector<T> selected;
  for (size_t i = 0; i < count; ++i) {
    if (keep(data[i], i)) selected.push_back(data[i]);
  }
  return selected;
}

}  // namespace weft::test
