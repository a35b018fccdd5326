#pragma once

#include <string>
#include <vector>

#include <weft/device.h>

/// A device that computes nothing: it remembers the kernels that plans make for a GPU.
namespace weft::test {

/// A kernel as a plan asked for it.
struct RequestedKernel {
  Spirv module;
  KernelOptions options;
  std::string purpose;  ///< Which plan asked, for messages.
};

/// A GPU with every feature, of no vendor.
DeviceInfo gpu(uint32_t subgroup_size, uint32_t workgroup_memory_bytes);
/// An NVIDIA GPU as CUDA describes it, whose registers can be bounded.
DeviceInfo nvidia_by_cuda(const std::string& architecture, uint32_t workgroup_memory_bytes);
/// The devices that defaults were measured on.
DeviceInfo h200_by_cuda();
DeviceInfo h200_by_vulkan();
Device recording_device(const DeviceInfo& info, std::vector<RequestedKernel>& requested);

}  // namespace weft::test
