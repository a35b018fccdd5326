#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>

#include <weft/device.h>

/// Chooses a device from the lists of list_devices(). Opens none itself.
namespace weft::core {

/// Indices of a backend in a list, and of a device in that backend.
struct DeviceIndex {
  size_t backend = 0, device = 0;
};

/// Opens a device, or throws the reason why it does not open.
using Opener = std::function<void(DeviceIndex)>;

struct ChoiceOptions {
  bool pass_over = true;  ///< Whether the next device is tried if one does not open.
  /// The devices that have no compiler, nor a pack with code for them, by selector: why, in words.
  std::map<std::string, std::string> without_kernels;
};

/// Opens the best device. Devices rank by kind (discrete GPU, integrated, virtual, CPU, other), on the CPU by speed,
/// then by the order of their backends, then by their number of SPIR-V capabilities; those without kernels come last.
/// Throws unsupported if there is no device to open. If none opens, throws the reasons of all, with the code of the
/// first.
DeviceChoice choose_best(std::span<const BackendInfo> backends, const Opener& open, const ChoiceOptions& options = {});

/// Finds the device named by `part`, the text after "backend:" in a selector: an index in the list, or a part of a
/// name. If several names match, returns the first device that is not refused.
std::optional<size_t> find_named(const BackendInfo& backend, const std::string& part);

/// "vulkan:0 (llvmpipe), vulkan:1 (SwiftShader, refused: ...); cuda has no device: libcuda.so.1 not found"
std::string listing(std::span<const BackendInfo> backends);

/// "vulkan:0 (llvmpipe)"
std::string title(const DeviceInfo& device);

}  // namespace weft::core
