#pragma once

#include <cstdint>
#include <string>

/// Formats 34835 as "34,835".
inline std::string grouped(uint64_t value) {
  std::string digits = std::to_string(value);
  for (int at = int(digits.size()) - 3; at > 0; at -= 3) digits.insert(size_t(at), 1, ',');
  return digits;
}
