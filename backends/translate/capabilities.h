#pragma once

#include <set>

#include <weft/device_info.h>

/// What a device offers whose kernels are translated, whatever they are compiled with in the end.
namespace weft::translate {

std::set<uint32_t> supported_capabilities();
std::set<SubgroupOperation> supported_subgroup_operations();
DeviceFeatures supported_features();

}  // namespace weft::translate
