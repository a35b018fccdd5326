#pragma once

#include <vector>

#include "tests/support/recording_device.h"

namespace weft::test {

/// What Weft's primitives make on a recording_device(), no kernel twice: every kernel of shaders/kernels with every
/// element type, and when `every` is set with every operator and in every variant.
std::vector<RequestedKernel> kernels_of_primitives(const DeviceInfo& info, bool every);
/// Likewise of words alone: every kernel of shaders/kernels, with counts below 2^32 and above, on both paths.
std::vector<RequestedKernel> kernels_of_words(const DeviceInfo& info);

}  // namespace weft::test
