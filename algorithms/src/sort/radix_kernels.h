#pragma once

#include <cstdint>

#include <weft/device.h>
#include <weft/element.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kernel_maker.h"

namespace weft::algorithms {

/// Addresses of keys and their values.
struct RadixBuffers {
  uint64_t keys = 0, values = 0;

  bool operator==(const RadixBuffers&) const = default;
};

/// The start of the push constants of kernels that move keys: WeftSortArguments in radix_arguments.glsl.
struct RadixBlock {
  uint64_t keys, keys_out, values, values_out, count_on_device, count;
  uint32_t begin, mask, options, unused;
};
RadixBlock radix_block(const RadixBuffers& from, const RadixBuffers& to, uint32_t begin, uint32_t mask,
                       const ResolvedCount& count);

/// A maker of kernels that read digits of keys. Throws unsupported if the device cannot move such keys.
KernelMaker radix_key_kernels(const Device& device, const char* primitive, const Element& key, bool descending,
                              uint64_t max_count);

}  // namespace weft::algorithms
