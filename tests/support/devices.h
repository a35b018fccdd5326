#pragma once

#include <string>
#include <vector>

#include "device_test.h"

/// What main() needs of the tests' device list.
namespace weft::test {

/// Opens the devices that WEFT_TEST_DEVICES names, or every usable one. Throws Error, listing what there is, when a
/// named device is missing or refused, when there is none at all, and when WEFT_TEST_SUBGROUP_SIZE is set and a device
/// has another.
std::vector<TestedDevice> open_tested_devices();

const std::vector<DeviceTest>& device_tests();

}  // namespace weft::test
