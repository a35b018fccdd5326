#pragma once

#include <string>
#include <vector>

#include <weft/device.h>

/// A device that computes nothing. It records the kernels that plans create for a GPU, and their dispatches.
namespace weft::test {

/// A kernel as requested by a plan.
struct RequestedKernel {
  Spirv module;
  KernelOptions options;
  std::string purpose;  ///< The requesting plan, for messages.
};

/// A dispatch that a plan recorded into a stream.
struct RequestedDispatch {
  std::string kernel;
  Groups groups;
};

/// Returns a GPU with all features and no vendor.
DeviceInfo gpu(uint32_t subgroup_size, uint32_t workgroup_memory_bytes);
/// Returns an NVIDIA GPU as described by CUDA, whose registers can be bounded.
DeviceInfo nvidia_by_cuda(const std::string& architecture, uint32_t workgroup_memory_bytes);
/// The devices that defaults were measured on.
DeviceInfo h200_by_cuda();
DeviceInfo h200_by_vulkan();
Device recording_device(const DeviceInfo& info, std::vector<RequestedKernel>& requested);
/// As above. Its buffers have addresses, but no memory, and its streams note dispatches (not indirect ones).
Device recording_device(const DeviceInfo& info, std::vector<RequestedKernel>& requested,
                        std::vector<RequestedDispatch>& dispatches);

}  // namespace weft::test
