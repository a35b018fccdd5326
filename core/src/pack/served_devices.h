#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <weft/device_info.h>
#include <weft/pack.h>
#include <weft/tuning.h>

namespace weft::core {

/// The entry of a pack with the devices that it serves: of each, what plans choose kernels by.
std::vector<std::byte> encode_served(std::span<const DeviceInfo> devices);
/// Empty for bytes that encode_served() did not write.
std::vector<DeviceInfo> decode_served(std::span<const std::byte> bytes);

/// A device as the packs serve it. If it has what one of their devices has, and subgroups of the same sizes, it is
/// taken for that one: features and workgroup limits beyond those, for which the packs have no kernels, are left out.
/// Of several, the one whose machine code suits best counts, then one with the device's name, then the first. Without
/// one, the device stays as it is.
DeviceInfo as_served(DeviceInfo device, std::span<const Pack> packs);

/// The architecture of the device that as_served() takes it for, whose machine code the packs have. Empty if there is
/// none, or if it names none.
std::string served_architecture(const DeviceInfo& device, std::span<const Pack> packs);

/// A device's own tuning, and for primitives and sizes of elements without entries there, what the pack was made with
/// for the device that this one is taken for.
Tuning tuning_with_packs(const Tuning& own, const DeviceInfo& device, std::span<const Pack> packs);

}  // namespace weft::core
