#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include <weft/device.h>

/// Which device of a list is meant. Knows the devices by what list_devices() says of them, and opens none itself.
namespace weft::core {

/// Device `device` of backend `backend` in a list of backends.
struct Place {
  size_t backend = 0, device = 0;
};

/// Opens the device at a place, or throws the reason why not.
using Opener = std::function<void(Place)>;

/// Opens the best device. Kinds come first: discrete GPU, integrated, virtual, CPU, other. Of one kind the device whose
/// backend is first in the list, and of one backend the device that kernels can ask more of. With `pass_over`, a device
/// that does not open gives way to the next. Throws unsupported when there is none to open, and when none opens the
/// reasons of all, with the first one's code.
DeviceChoice choose_best(std::span<const BackendInfo> backends, const Opener& open, bool pass_over = true);

/// The device that `part`, what follows "backend:" in a selector, means: a number of the list or text of a name. Where
/// several names have the text, the first that is not refused.
std::optional<size_t> find_named(const BackendInfo& backend, const std::string& part);

/// "vulkan:0 (llvmpipe), vulkan:1 (SwiftShader, refused: ...); cuda has no device: libcuda.so.1 not found"
std::string listing(std::span<const BackendInfo> backends);

/// "vulkan:0 (llvmpipe)"
std::string title(const DeviceInfo& device);

}  // namespace weft::core
