#pragma once

#include <weft/glsl.h>

#include "sizes.h"

/// For kernels that take one tile behind 2^32 elements. There is memory for that tile alone: they are told that memory
/// starts where the first element would be.
namespace weft::test {

/// A kernel of this source, with workgroups of least_workgroup().
Kernel kernel_of_full_subgroups(const Device& device, const char* source);

/// Offsets before, in and behind the elements [start, start + size), ascending. Several are at some of the elements;
/// where they are `dense`, there are more of them than elements.
std::vector<uint64_t> offsets_around(uint64_t start, uint64_t size, bool dense, std::mt19937_64& generator);

}  // namespace weft::test
