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

/// What a GPU with everything says of itself.
DeviceInfo gpu(uint32_t subgroup_size, uint32_t workgroup_memory_bytes);
Device recording_device(const DeviceInfo& info, std::vector<RequestedKernel>& requested);

}  // namespace weft::test
