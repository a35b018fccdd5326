#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <weft/count.h>
#include <weft/element.h>

#include "tests/algorithms/all_plans/overlap_cases.h"

/// The parts of overlap_cases().
namespace weft::test {

void add_overlap_pairs(Cases& all, const Device& device);
void add_overlap_sorts(Cases& all, const Device& device);
void add_overlap_images(Cases& all, const Device& device);
void add_overlap_trees(Cases& all, const Device& device);
void add_overlap_tables(Cases& all, const Device& device);

constexpr uint32_t most = 6007, taken = 6000;            // Elements in memory, and in the count.
constexpr uint32_t most_segments = 800, segments = 790;  // Of 7 elements each, and the rest.
inline const Element word = Element::of<uint32_t>();

inline OverlapArgument written(const std::string& name, uint64_t words = most) { return {name, Fill::nothing, words}; }
inline OverlapArgument any(const std::string& name, uint64_t words = most) { return {name, Fill::any, words}; }
inline OverlapArgument count_of(const std::string& name, uint32_t number, uint32_t room = most) {
  return {name, Fill::number, 2, number, 1, room};
}
inline OverlapArgument written_counts(const std::string& name, uint32_t counts = 1) {
  return {name, Fill::nothing, 2 * counts, 0, counts};
}
inline const OverlapArgument count = count_of("count", taken);
inline const OverlapArgument segment_count = count_of("segment_count", segments, most_segments);

inline Count on_device(const Regions& at, const std::string& name = "count") {
  const Region& region = at.at(name);
  if (region.bytes == sizeof(uint32_t)) return View<const uint32_t>(region);
  return View<const uint64_t>(region);
}
inline CountOutput output_of(const Regions& at, const std::string& name, uint32_t counts = 1) {
  const Region& words = at.at(name);
  if (words.bytes == counts * sizeof(uint32_t)) return View<uint32_t>(words);
  return words;
}

/// A count as plans take it, clamped to the capacity.
inline uint64_t number(const Contents& contents, uint64_t room = most, const std::string& name = "count") {
  const Words& words = contents.at(name);
  return std::min(words[0] | (words.size() > 1 ? uint64_t(words[1]) << 32 : 0), room);
}
inline void set(Contents& contents, const std::string& name, uint64_t value, size_t at = 0, uint32_t counts = 1) {
  Words& words = contents[name];
  const size_t size = words.size() / counts;
  for (size_t i = 0; i < size; ++i) words[size * at + i] = uint32_t(value >> 32 * i);
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
