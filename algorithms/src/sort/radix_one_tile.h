#pragma once

#include <cstdint>
#include <optional>

#include <weft/device.h>
#include <weft/element.h>
#include <weft/kernel.h>
#include <weft/stream.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/sort/radix_input.h"
#include "algorithms/src/sort/radix_kernels.h"
#include "algorithms/src/sort/radix_shape.h"

namespace weft::algorithms {

/// A radix sort of few enough keys for one workgroup: one dispatch, no temporary storage.
class RadixOneTile {
 public:
  /// The most keys that a workgroup can sort, with or without values; 0 if it cannot sort any.
  static uint64_t most_keys(const DeviceInfo& device, const Tuning& tuning, const Element& key, bool values);
  /// With values of any size. Empty if the keys do not fit into a workgroup.
  static std::optional<RadixOneTile> make(const Device& device, const Tuning& measured, const RadixInput& input);

  /// Sorts by the bits [begin, end); `in` and `out` may be the same.
  void record(Recorder& recorder, const RadixBuffers& in, const RadixBuffers& out, uint32_t begin, uint32_t end,
              const ResolvedCount& count) const;

 private:
  RadixOneTile(const RadixShape& shape, Kernel kernel) : shape_(shape), kernel_(std::move(kernel)) {}

  RadixShape shape_;
  Kernel kernel_;
};

}  // namespace weft::algorithms
