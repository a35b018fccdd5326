#pragma once

#include <cstdint>
#include <string>

/// Helpers to write SPIR-V text and compute its results.
namespace weft::test {

inline std::string number(uint64_t n) { return std::to_string(n); }

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// The low `width` bits, and their value as a signed number.
inline uint64_t cut(uint64_t x, uint32_t width) { return width == 64 ? x : x & ((uint64_t{1} << width) - 1); }
inline int64_t extended(uint64_t x, uint32_t width) { return int64_t(x << (64 - width)) >> (64 - width); }

}  // namespace weft::test
