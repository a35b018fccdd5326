#pragma once

#include <cstdint>

namespace weft::host {

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every bit of the result depends on every bit of `x`.
inline uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// A small generator for schedules. The same seed gives the same numbers on every machine.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() { return mixed(state_ += 0x9e3779b97f4a7c15u); }
  /// A number from 0 to count - 1. `count` must be small.
  uint32_t below(uint32_t count) { return uint32_t((next() >> 32) * count >> 32); }

 private:
  uint64_t state_;
};

}  // namespace weft::host
