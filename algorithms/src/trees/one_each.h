#pragma once

#include "algorithms/src/base/tiling.h"

namespace weft::algorithms {

/// A tiling of one element, or node, for each invocation.
inline Tiling one_each(const DeviceInfo& device) {
  Tiling tiling = make_tiling(device, 1, {.bytes_per_invocation = 4});
  tiling.rows = tiling.pack = 1;
  return tiling;
}

}  // namespace weft::algorithms
