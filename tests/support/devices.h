#pragma once

#include <string>
#include <vector>

#include "tests/support/device_test.h"

/// The list of tested devices, for main().
namespace weft::test {

/// Opens the devices named by WEFT_TEST_DEVICES, or every usable one. Throws Error, listing the available ones, if a
/// named device is missing or refused, if there is no device, or if a device differs from WEFT_TEST_SUBGROUP_SIZE.
std::vector<TestedDevice> open_tested_devices();

const std::vector<DeviceTest>& device_tests();

}  // namespace weft::test
