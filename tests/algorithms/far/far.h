#pragma once

#include <weft/glsl.h>

#include "tests/algorithms/base/sizes.h"

/// For kernels that process one tile beyond 2^32 elements. Only that tile has memory; kernels get the address where the
/// first element would be.
namespace weft::test {

/// Compiles a kernel, with workgroups of least_workgroup().
Kernel kernel_of_full_subgroups(const Device& device, const char* source);

/// Ascending offsets before, in and after the elements [start, start + size). Some are repeated; if `dense`, there are
/// more offsets than elements.
std::vector<uint64_t> offsets_around(uint64_t start, uint64_t size, bool dense, std::mt19937_64& generator);

}  // namespace weft::test
