#pragma once

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

// What defaults are chosen by. Where nothing was measured on a kind of device, it takes the values that were best on
// most.

/// NVIDIA's GPUs with as much memory in a multiprocessor as Hopper's, if kernels' registers can be bounded. The pause
/// pays in every kernel that looks back there. Measured on an H200.
bool is_large_nvidia(const DeviceInfo& device);

/// NVIDIA's GPUs where kernels' registers cannot be bounded. The driver there gives the workgroups of a multiprocessor
/// some 56 KiB of workgroup memory together, so that few run where each takes much. Measured on an H200.
bool is_unbounded_nvidia(const DeviceInfo& device);

/// Lanes of the subgroups of Weft's kernels, at least and at most.
struct SubgroupSizes {
  uint32_t least = 1, most = 1;

  bool is_fixed() const { return least == most; }
};

/// A CPU device that lets kernels require a size gives its own: memory for other sizes takes time there. GPUs choose
/// one for each kernel.
SubgroupSizes subgroup_sizes(const DeviceInfo& device);

/// Whether all tiles run at once, so that smaller ones leave fewer multiprocessors idle.
bool are_few(const TuningQuery& query);

/// Whether elements have one word and indices 32 bits.
bool are_short(const TuningQuery& query);

/// Bytes of a tile that one invocation runs over, for primitives that read each element twice: two such tiles fit into
/// a processor's second cache. 0 where tiles have many invocations.
uint32_t default_serial_bytes(const DeviceInfo& device);

/// Small tiles of twice the subgroups, for few elements on is_unbounded_nvidia().
constexpr TileTuning few_unbounded_tiles{.workgroup = 512, .bytes_per_invocation = 64};

}  // namespace weft::algorithms
