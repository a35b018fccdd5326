#include "core/src/pack/architectures.h"

#include <algorithm>

#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;
using weft::core::code_architectures;

/// Whose machine code a device runs.

using Names = std::vector<std::string>;

TEST_CASE("a CUDA device runs cubins of its major version, then PTX, the nearest first") {
  const Names all = code_architectures("sm_86");
  const Names first(all.begin(), all.begin() + 9);
  CHECK_EQ(first, Names{"sm_86", "sm_85", "sm_84", "sm_83", "sm_82", "sm_81", "sm_80", "compute_86", "compute_85"});
  CHECK_EQ(all.back(), "compute_75");
  for (const char* none : {"sm_87", "sm_75", "sm_79", "compute_87", "compute_90", "compute_74"}) {
    CHECK(std::ranges::find(all, none) == all.end());
  }
  CHECK_EQ(code_architectures("sm_75"), Names{"sm_75", "compute_75"});
  CHECK_EQ(code_architectures("sm_120").at(1), "compute_120");
}

TEST_CASE("a HIP device runs code for its features, or for any") {
  CHECK_EQ(code_architectures("gfx90a:sramecc+:xnack-"), Names{"gfx90a:sramecc+:xnack-", "gfx90a"});
  CHECK_EQ(code_architectures("gfx1100"), Names{"gfx1100"});
}

TEST_CASE("a host device runs code for earlier processors of its system") {
  CHECK_EQ(code_architectures("x86-64-v4"), Names{"x86-64-v4", "x86-64-v3", "x86-64"});
  CHECK_EQ(code_architectures("x86-64-v3-windows"), Names{"x86-64-v3-windows", "x86-64-windows"});
}

TEST_CASE("code for other names runs under that name alone") {
  for (const char* name : {"sm_90a", "sm_", "compute_80", "x86-64", "aarch64", ""}) {
    CHECK_EQ(code_architectures(name), Names{name});
  }
}
