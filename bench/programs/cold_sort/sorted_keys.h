#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

// The work of both programs.
namespace weft::bench {

constexpr uint32_t key_count = 1000;

inline std::vector<uint32_t> unsorted_keys() {
  std::vector<uint32_t> keys(key_count);
  uint32_t state = 1;
  for (uint32_t& key : keys) key = state = state * 1664525u + 1013904223u;
  return keys;
}

/// The exit status of a program with this result.
inline int status_of(const std::vector<uint32_t>& result) {
  std::vector<uint32_t> expected = unsorted_keys();
  std::ranges::sort(expected);
  if (result == expected) return 0;
  std::fprintf(stderr, "the keys are not sorted\n");
  return 1;
}

}  // namespace weft::bench
