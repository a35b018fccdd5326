#pragma once

#include <string>
#include <vector>

#include "tests/c/calls.h"

namespace weft::test {

/// Fails the test for functions of the headers that were not called. Does nothing if their folder is not known: it is
/// that of WEFT_TEST_C, the folder c/.
void check_all_called(const Calls& calls, const std::vector<std::string>& headers);

}  // namespace weft::test
