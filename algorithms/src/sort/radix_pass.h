#pragma once

#include <cstdint>

#include <weft/device.h>

#include "algorithms/src/sort/radix_kernels.h"
#include "algorithms/src/sort/radix_shape.h"

namespace weft::algorithms {

/// A pass of a radix sort: the buffers it moves keys between, and its digit.
struct RadixPass {
  RadixBuffers from, to;
  uint32_t number = 0;  ///< From 0, the lowest digit.
  uint32_t begin = 0, mask = 0;
};

/// What the kernels of passes are made from.
struct RadixMaking {
  Device device;
  KernelMaker maker;
  RadixTuning tuning;
  RadixElements elements;
  RadixShape shape;
  uint64_t max_count = 0;
  uint64_t most_tiles = 0;  ///< For up to max_count keys.

  bool has_wide_indices() const { return max_count > UINT32_MAX; }
  uint64_t index_bytes() const { return has_wide_indices() ? 8 : 4; }
  /// Makes the kernel that moves the keys of a pass.
  Kernel pass_kernel(const char* name) const;
};

}  // namespace weft::algorithms
