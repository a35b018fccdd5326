#pragma once

#include <cstdint>
#include <vector>

#include "tests/support/device_test.h"

namespace weft::test {

/// The device tests that a run takes. By default all; a quick run draws some by the run's seed, so that over many runs
/// every test and type meets every device.
struct Sample {
  uint32_t tests = 1;  ///< WEFT_TEST_SAMPLE=N: one in N tests of each source file, rounded up.
  /// WEFT_TEST_TYPES=N: N types drawn for each test over types; 0: all. Types that the other tests of the source
  /// file have drawn come later, so that few draws meet most types.
  uint32_t types = 0;

  /// Reads the variables. Throws Error(invalid_argument) if one is set to anything but a number of at least 1.
  static Sample from_environment();

  bool takes_all() const { return tests == 1 && types == 0; }

  /// Returns the tests that `device` runs, in the order of `all`. Types that the device lacks come last.
  std::vector<const DeviceTest*> of(const std::vector<DeviceTest>& all, const TestedDevice& device) const;
};

}  // namespace weft::test
