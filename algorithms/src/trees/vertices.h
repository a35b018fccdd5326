#pragma once

#include <cstdint>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kernel_maker.h"

namespace weft::algorithms {

// Triangles by index, as shaders/kernels/trees/primitives.glsl loads them. `vertex_bytes` is that of BvhPrimitive, 0
// for other primitives.

/// Throws invalid_argument, naming `primitive` as the caller, if vertices may not be that far apart: 0 bytes included.
void check_vertex_bytes(const char* primitive, uint32_t vertex_bytes);
/// Checks the argument `vertices` of up to `count` primitives.
void check_vertices(ArgumentChecks& checks, const Region& vertices, uint32_t vertex_bytes, uint64_t count);
void define_vertices(KernelMaker& maker, uint32_t vertex_bytes);

}  // namespace weft::algorithms
