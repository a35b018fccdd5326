#pragma once

#include <cstdint>
#include <vector>

#include <weft/bvh_query.h>
#include <weft/stream.h>

namespace weft::tools {

/// For each pixel of a square picture, row by row, the number of nodes that its ray reads to find the first triangle.
/// Rays come from the front and a little above, and see everything in `bounds`. `indices` and `vertices` are those of
/// BvhPrimitive::indexed_triangles().
std::vector<uint32_t> nodes_read(Stream& stream, const Bvh& bvh, const Region& indices, const Region& vertices,
                                 const Box<3>& bounds, uint32_t size);

/// A PNG file with such pictures side by side, from black for 0 over blue, red and yellow to white for the hundredth
/// part of pixels that read most.
std::vector<std::byte> heat_map(const std::vector<std::vector<uint32_t>>& pictures, uint32_t size);

}  // namespace weft::tools
