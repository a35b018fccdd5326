#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::test::cuda_on_cpu {

/// What stands for a cubin: a shared object with an architecture.
struct Cubin {
  uint32_t architecture = 0;  ///< 90 for sm_90.
  std::span<const std::byte> shared_object;
};

std::vector<std::byte> wrap(const Cubin& cubin);
/// Looks at an image of unknown length. No shared object when it is none of ours, is of another build's emulation, or
/// was made where WEFT_CUDA_ON_CPU_CODE had another value; nor ever when WEFT_CUDA_ON_CPU_REFUSES is set.
Cubin unwrap(const void* image);

}  // namespace weft::test::cuda_on_cpu
