#pragma once

#include <cstdint>

#include <weft/device.h>
#include <weft/element.h>
#include <weft/kernel.h>
#include <weft/stream.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/tiling.h"

namespace weft::algorithms {

/// Gathers elements of any size by their indices: shaders/kernels/sort/gather.comp.
class Gather {
 public:
  /// `index_bytes`: 4 or 8. `primitive` names the caller in messages.
  Gather(const Device& device, const char* primitive, const Element& element, uint32_t index_bytes);

  /// destination[i] = source[indices[i]], or source[i] if `indices` is 0. All three are device addresses.
  void record(Recorder& recorder, uint64_t source, uint64_t destination, uint64_t indices,
              const ResolvedCount& count) const;

 private:
  DeviceLimits limits_;
  Tiling tiling_;
  Kernel kernel_;
};

}  // namespace weft::algorithms
