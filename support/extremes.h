#pragma once

#include <cmath>
#include <type_traits>

namespace weft::support {

/// Whether `a` rather than `b` is Weft's min, or with `max` its max, of the two: NaN gives way to every number, and -0
/// is below 0.
template <typename T>
bool precedes(T a, T b, bool max) {
  if constexpr (std::is_integral_v<T>) {
    return max ? a > b : a < b;
  } else {
    const double x = double(a), y = double(b);
    if (std::isnan(x) || std::isnan(y)) return !std::isnan(x) && std::isnan(y);
    if (x != y) return max ? x > y : x < y;
    return std::signbit(x) != std::signbit(y) && std::signbit(y) == max;
  }
}

}  // namespace weft::support
