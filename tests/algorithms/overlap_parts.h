#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <weft/count.h>
#include <weft/element.h>

#include "overlap_cases.h"

/// The parts of overlap_cases().
namespace weft::test {

void add_overlap_sorts(Cases& all, const Device& device);

constexpr uint32_t most = 6007, taken = 6000;            // Elements in memory, and in the count.
constexpr uint32_t most_segments = 800, segments = 790;  // Of 7 elements each, and the rest.
inline const Element word = Element::of<uint32_t>();

inline OverlapArgument written(const std::string& name, uint64_t words = most) { return {name, Fill::nothing, words}; }
inline OverlapArgument any(const std::string& name, uint64_t words = most) { return {name, Fill::any, words}; }
inline OverlapArgument count_of(const std::string& name, uint32_t number) { return {name, Fill::number, 2, number}; }
inline const OverlapArgument count = count_of("count", taken);
inline const OverlapArgument segment_count = count_of("segment_count", segments);

inline Count on_device(const Regions& at, const std::string& name = "count") {
  return View<const uint64_t>(at.at(name));
}

/// A count as plans take it, clamped to the capacity.
inline uint64_t number(const Contents& contents, uint64_t room = most, const std::string& name = "count") {
  const Words& words = contents.at(name);
  return std::min(words[0] | uint64_t(words[1]) << 32, room);
}
inline void set(Contents& contents, const std::string& name, uint64_t value, size_t at = 0) {
  contents[name][2 * at] = uint32_t(value);
  contents[name][2 * at + 1] = uint32_t(value >> 32);
}

/// Whether each element is the head of a segment given by offsets.
inline std::vector<bool> heads_at(const Words& offsets, uint64_t named, uint64_t elements) {
  std::vector<bool> heads(elements);
  for (uint64_t i = 0; i <= named; ++i) {
    if (offsets[i] < elements) heads[offsets[i]] = true;
  }
  if (elements > 0) heads[0] = true;
  return heads;
}
inline std::vector<bool> heads_of_runs(const Words& keys, uint64_t elements) {
  std::vector<bool> heads(elements);
  for (uint64_t i = 0; i < elements; ++i) heads[i] = i == 0 || keys[i] != keys[i - 1];
  return heads;
}

}  // namespace weft::test
