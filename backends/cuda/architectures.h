#pragma once

#include <optional>
#include <string>

#include <weft/device_info.h>

namespace weft::cuda {

/// The compute capability in an architecture's name: 90 for "sm_90" (cubins) and "compute_90" (PTX). 0 for other names.
uint32_t capability_of(const std::string& architecture);
bool is_ptx(const std::string& architecture);

/// The properties of CUDA devices that Weft's kernels depend on, and that are the same for all of them.
void describe_any(DeviceInfo& info);

/// A GPU of an architecture, as describe() would describe it. With the name of PTX, one that has no more than any GPU
/// which runs it. None if the name is none of those that Weft knows.
std::optional<DeviceInfo> described(const std::string& architecture);

}  // namespace weft::cuda
