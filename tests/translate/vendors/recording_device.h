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
DeviceInfo gpu(uint32_t subgroup_size);
/// A GPU with forward progress, 64-bit types and atomics, and subgroups of `subgroup_size` lanes.
Device recording_device(uint32_t subgroup_size, std::vector<RequestedKernel>& requested);

/// What Weft's primitives make on such a device: every kernel of shaders/kernels, with element types, operators, paths
/// and variants. A sample, in which every kernel meets several element types; everything when `every` is set.
std::vector<RequestedKernel> kernels_of_primitives(uint32_t subgroup_size, bool every);

}  // namespace weft::test
