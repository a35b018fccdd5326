#pragma once

#include <vector>

#include "tests/support/recording_device.h"

namespace weft::test {

/// Returns the kernels that Weft's primitives create on a recording_device(), each once: every kernel of
/// shaders/kernels with every element type; with `every`, also every operator and variant.
std::vector<RequestedKernel> kernels_of_primitives(const DeviceInfo& info, bool every);
/// The same for words only: every kernel of shaders/kernels, with counts below and above 2^32, on both paths.
std::vector<RequestedKernel> kernels_of_words(const DeviceInfo& info);

}  // namespace weft::test
