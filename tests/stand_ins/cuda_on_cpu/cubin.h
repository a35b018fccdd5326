#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::test::cuda_on_cpu {

/// Stands in for a cubin, or for PTX: a shared object with an architecture.
struct Cubin {
  uint32_t architecture = 0;  ///< 90 for sm_90 and compute_90.
  bool ptx = false;
  std::span<const std::byte> shared_object;
};

std::vector<std::byte> wrap(const Cubin& cubin);
/// Reads an image of unknown length. Returns no shared object if it is not one of ours, comes from another build's
/// emulation, or was made with another value of WEFT_CUDA_ON_CPU_CODE; nor if WEFT_CUDA_ON_CPU_REFUSES is set.
Cubin unwrap(const void* image);

}  // namespace weft::test::cuda_on_cpu
