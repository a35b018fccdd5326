#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace weft::test {

/// Formats an element for messages: numbers as they are, structs as hexadecimal words.
template <typename T>
std::string element_text(const T& value) {
  std::ostringstream text;
  if constexpr (std::is_arithmetic_v<T>) {
    text << +value;
  } else {
    const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
    text << std::hex;
    for (size_t i = 0; i < sizeof(T); ++i) text << (i == 0 ? "" : " ") << unsigned(bytes[i]);
  }
  return text.str();
}

/// Compares elements byte by byte. Specialized for structs with padding.
template <typename T>
struct Bytes {
  static bool same(const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) == 0; }
};

/// Fails the running test unless both hold the same bytes, and names the first element that differs.
template <typename T>
bool check_same(const std::vector<T>& actual, const std::vector<T>& expected, const std::string& what = "result") {
  static_assert(std::is_trivially_copyable_v<T>);
  if (actual.size() != expected.size()) {
    FAIL_CHECK(what << " has " << actual.size() << " elements, expected " << expected.size());
    return false;
  }
  if (actual.empty() || std::memcmp(actual.data(), expected.data(), actual.size() * sizeof(T)) == 0) {
    CHECK(true);  // counts as a check
    return true;
  }
  size_t differing = 0, first = actual.size();
  for (size_t i = 0; i < actual.size(); ++i) {
    if (Bytes<T>::same(actual[i], expected[i])) continue;
    if (differing++ == 0) first = i;
  }
  if (differing == 0) {
    CHECK(true);
    return true;
  }
  FAIL_CHECK(what << " differs in " << differing << " of " << actual.size() << " elements, first at [" << first
                  << "]: " << element_text(actual[first]) << ", expected " << element_text(expected[first]));
  return false;
}

}  // namespace weft::test
