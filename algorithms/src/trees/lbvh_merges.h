#pragma once

#include <cstdint>

#include <weft/kernel.h>
#include <weft/stream.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/temporary_layout.h"

namespace weft::algorithms {

/// The agglomerative construction of a hierarchy's leaves and links: everything but the boxes.
class LbvhMerges {
 public:
  /// `maker` has the macros of shaders/kernels/trees/lbvh_leaves.glsl.
  LbvhMerges(KernelMaker maker, uint64_t max_count, uint32_t code_bits);

  uint64_t temporary_bytes() const { return storage_.layout.bytes(); }

  struct Arguments {
    Region primitives, vertices;
    Region sorted;  ///< Indices of primitives in the order of Morton codes.
    Region nodes, indices, leaf_parents;
    Region temporary;
  };
  void record(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const;

 private:
  struct Storage {
    explicit Storage(uint64_t count);

    TemporaryLayout layout;
    TemporaryLayout::Part merges, leaf_links;
    TemporaryLayout::Part clusters[2];  // That odd and even steps leave.
  };

  void merge(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const;
  void order(Recorder& recorder, const Arguments& arguments, const ResolvedCount& count) const;

  DeviceLimits limits_;
  uint32_t code_bits_;
  Tiling tiling_;
  Kernel merge_leaves_, merge_clusters_, order_;
  Storage storage_;
};

}  // namespace weft::algorithms
