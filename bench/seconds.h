#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace weft::bench {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Of an even number, the greater of the two in the middle.
inline double median(std::vector<double> seconds) {
  std::ranges::nth_element(seconds, seconds.begin() + std::ptrdiff_t(seconds.size() / 2));
  return seconds[seconds.size() / 2];
}

}  // namespace weft::bench
