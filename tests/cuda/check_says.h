#pragma once

#include <string>
#include <vector>

#include "tests/support/test.h"

namespace weft::test {

/// Fails the test unless `output` has all of the parts.
inline void check_says(const std::string& output, const std::vector<std::string>& parts) {
  INFO(output);
  for (const std::string& part : parts)
    CHECK_MESSAGE(output.find(part) != std::string::npos, "the output lacks: ", part);
}

}  // namespace weft::test
