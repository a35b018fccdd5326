// How elements are divided into tiles, and which of a tile's elements a lane holds.
//
// Gives:    weft_tile_size()        elements of a tile
//           WeftExtent weft_extent(uvec2 count)   the tiles of `count` elements
//           uint weft_tile_limit(extent, tile)    elements of that tile
//           uint weft_limit_of_tiles(count, first, tiles)   elements of `tiles` tiles from the first, below 2^32
//           uint weft_pack_index(run, row)        index in the tile of the pack that this lane holds
//           bool weft_run_is_full(run, limit)     whether a subgroup's run of rows is entirely below the limit
// Macros:   WEFT_ROWS   rows of a run
//           WEFT_PACK   consecutive elements of a row that a lane holds
// Usage:    see weft/workgroup/tile.glsl
//
// A tile has fewer than 2^16 elements.
#ifndef WEFT_WORKGROUP_EXTENT
#define WEFT_WORKGROUP_EXTENT

#include "weft/thread/count.glsl"
#extension GL_KHR_shader_subgroup_basic : require

struct WeftExtent {
  uint tiles;  // At least one: no elements make one empty tile.
  uint full;   // Full tiles.
  uint tail;   // Elements of the tile after those.
};

uint weft_tile_size() { return gl_WorkGroupSize.x * (WEFT_ROWS * WEFT_PACK); }

WeftExtent weft_extent(uvec2 count) {
  WeftExtent extent;
  extent.full = weft_divide(count, weft_tile_size(), extent.tail).x;
  extent.tiles = max(extent.full + uint(extent.tail > 0u), 1u);
  return extent;
}

uint weft_tile_limit(WeftExtent extent, uint tile) {
  if (tile < extent.full) return weft_tile_size();
  return tile == extent.full ? extent.tail : 0u;
}

uint weft_limit_of_tiles(uvec2 count, uint first, uint tiles) {
  uvec2 start = weft_multiply(uvec2(first, 0u), weft_tile_size());
  uvec2 rest = weft_less(start, count) ? weft_subtract(count, start) : uvec2(0u);
  return weft_min(rest, uvec2(tiles * weft_tile_size(), 0u)).x;
}

uint weft_pack_index(uint run, int row) {
  return (run * WEFT_ROWS + uint(row)) * gl_SubgroupSize + gl_SubgroupInvocationID;
}

bool weft_run_is_full(uint run, uint limit) { return (run + 1u) * (WEFT_ROWS * WEFT_PACK) * gl_SubgroupSize <= limit; }

#endif
