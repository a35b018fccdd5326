// Tiles: consecutive elements that a workgroup loads into registers and stores from there.
//
// Each subgroup holds a run of WEFT_ROWS rows of the tile. In each row, each lane holds a pack of WEFT_PACK consecutive
// elements. The packs of neighbouring lanes are neighbours in memory, so a row is read and written as one contiguous
// range, in 16-byte vectors if it is aligned. The order of a tile's elements is: subgroup, row, lane, pack.
//
// Gives:    everything in weft/workgroup/extent.glsl and weft/thread/element_memory.glsl
//           uint weft_tile_blocks()   256-byte blocks of a tile, for offsets in memory
//           void weft_load_rows(out x, source, vectors, block, run, limit, outside)
//           void weft_store_rows(x, destination, vectors, block, run, limit)
//                                     see weft/workgroup/typed_rows.glsl for both
// Macros:   T, T_WORDS   the element type and its size in 32-bit words
//           T_BYTES      optional: its size in memory if that is no multiple of 4, T_WORDS units of 1 or 2 bytes
//           WEFT_ROWS    rows; more rows keep more loads in flight, and take more registers
//           WEFT_PACK    optional, see weft/thread/pack_size.glsl
// Usage:    layout(local_size_x = 256) in;
//           #define T float
//           #define T_WORDS 1
//           #define WEFT_ROWS 4
//           #include "weft/workgroup/tile.glsl"
//           ...
//           WeftExtent extent = weft_extent(args.count);
//           uint block = tile * weft_tile_blocks(), limit = weft_tile_limit(extent, tile);
//           T x[WEFT_ROWS][WEFT_PACK];
//           weft_load_rows(x, uvec2(args.input), true, block, gl_SubgroupID, limit, 0.0);
//
// The workgroup's size is a multiple of 64 and of the subgroup size.
#ifndef WEFT_WORKGROUP_TILE
#define WEFT_WORKGROUP_TILE

#include "weft/thread/count.glsl"
#include "weft/thread/element_memory.glsl"
#include "weft/thread/memory.glsl"
#include "weft/thread/pack_size.glsl"
#include "weft/workgroup/extent.glsl"

uint weft_tile_blocks() { return gl_WorkGroupSize.x / 64u * (WEFT_ROWS * WEFT_PACK_WORDS); }

#define E T
#define E_WORDS T_WORDS
#define E_BYTES T_BYTES
#define WEFT_OF(name) weft_##name
#include "weft/workgroup/typed_rows.glsl"
#undef E
#undef E_WORDS
#undef E_BYTES
#undef WEFT_OF

#endif
