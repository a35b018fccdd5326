// Parts of a tile that one invocation runs over in plain loops, for devices whose compilers make vectors of loops.
//
// Gives:    everything in weft/workgroup/extent.glsl, for a workgroup of one invocation
//           uvec2 weft_part_of(uvec2 memory, uint bytes, uint tile, uint begin)
//                   the address of the tile's element `begin`, of elements of that many bytes
//           WeftSource weft_source_of(source, second, tile, begin)   the same of what elements are loaded from
//           T weft_source_at(WeftSource source, uint i)   element i of the part, loaded as it is or computed
// Macros:   T, T_WORDS     the element type and its size in 32-bit words
//           T_BYTES        optional: its size in memory if that is no multiple of 4
//           WEFT_ROWS, WEFT_PACK   elements of a tile, as a product; a multiple of 256
//           WEFT_TRANSFORM   optional: see weft/thread/transform.glsl
// Usage:    layout(local_size_x = 1) in;
//           ...
//           WeftSource part = weft_source_of(args.source, args.second, tile, 0u);
//           uint limit = weft_tile_limit(extent, tile);
//           for (uint i = 0u; i < limit; ++i) sum += weft_source_at(part, i);
//
// A tile fits into the cache of a processor, so what runs over it twice reads memory once. Loops count from 0, and
// parts have addresses of their own: a sum of two 32-bit indices might wrap, so compilers make no vectors of its loads.
#ifndef WEFT_SERIAL_TILE
#define WEFT_SERIAL_TILE

#include "weft/thread/count.glsl"
#include "weft/thread/element_memory.glsl"
#include "weft/workgroup/extent.glsl"

uvec2 weft_tile_index(uint tile, uint begin) {
  return weft_add(weft_multiply(uvec2(tile, 0u), weft_tile_size()), begin);
}

uvec2 weft_part_of(uvec2 memory, uint bytes, uint tile, uint begin) {
  return weft_element_address(memory, bytes, weft_tile_index(tile, begin));
}

#ifdef WEFT_TRANSFORM
#include "weft/thread/transform.glsl"

struct WeftSource {
  uvec2 first, second, index;
};

WeftSource weft_source_of(uvec2 source, uvec2 second, uint tile, uint begin) {
  return WeftSource(weft_part_of(source, K_BYTES, tile, begin), weft_part_of(second, K_BYTES, tile, begin),
                    weft_tile_index(tile, begin));
}

T weft_source_at(WeftSource source, uint i) {
  K x = weft_key_load_element(source.first, 0u, i);
#ifdef WEFT_TRANSFORM_TWO
  K y = weft_key_load_element(source.second, 0u, i);
#else
  K y = x;
#endif
  uvec2 index = weft_add(source.index, i);
  return weft_transform(x, y, index.x, index.y);
}
#else
struct WeftSource {
  uvec2 first;
};

WeftSource weft_source_of(uvec2 source, uvec2 second, uint tile, uint begin) {
  return WeftSource(weft_part_of(source, T_BYTES, tile, begin));
}

T weft_source_at(WeftSource source, uint i) { return weft_load_element(source.first, 0u, i); }
#endif

#endif
