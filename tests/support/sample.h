#pragma once

#include <cstdint>
#include <vector>

#include "device_test.h"

namespace weft::test {

/// Which of the device tests a run takes. By default all; a quick run draws some by the run's seed, so that over many
/// runs every test and every type meets every device.
struct Sample {
  uint32_t tests = 1;  ///< WEFT_TEST_SAMPLE=N: of the tests of each source file one in N, rounded up.
  uint32_t types = 0;  ///< WEFT_TEST_TYPES=N: of a test over types the first N types that are drawn; 0: all.

  /// Throws Error(invalid_argument) when a variable is set and no number from 1 on.
  static Sample from_environment();

  bool takes_all() const { return tests == 1 && types == 0; }

  /// The tests that `device` runs, in the order of `all`. Types that the device lacks are drawn last.
  std::vector<const DeviceTest*> of(const std::vector<DeviceTest>& all, const TestedDevice& device) const;
};

}  // namespace weft::test
