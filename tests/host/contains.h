#pragma once

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>

namespace weft::host::test {

/// Fails the running test for each of `parts` that is not in `text`.
inline void check_contains(const std::string& text, std::initializer_list<const char*> parts) {
  INFO(text);
  for (const char* part : parts) {
    INFO(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

}  // namespace weft::host::test
