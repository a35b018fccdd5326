#pragma once

#include <set>

#include <weft/device_info.h>

/// The features of a device whose kernels are translated, regardless of the compiler.
namespace weft::translate {

std::set<uint32_t> supported_capabilities();
std::set<SubgroupOperation> supported_subgroup_operations();
DeviceFeatures supported_features();

}  // namespace weft::translate
