// The keys of a tile, in an array of their own beside the tile's elements.
//
// Gives:    everything in weft/thread/key.glsl
//           void weft_load_keys(out keys, memory, vectors, tile, run, limit)   with zeros past `limit`
//           uint weft_tile_key_blocks()   256-byte blocks of a tile's keys
//           weft_key_load_rows() and the others of weft/workgroup/typed_rows.glsl
// Macros:   those of weft/workgroup/tile.glsl and weft/thread/key.glsl
// Usage:    K keys[WEFT_ROWS][WEFT_PACK];
//           weft_load_keys(keys, args.keys, vectors, tile, gl_SubgroupID, limit);
#ifndef WEFT_WORKGROUP_KEYS
#define WEFT_WORKGROUP_KEYS

#include "weft/thread/key.glsl"
#include "weft/workgroup/tile.glsl"

#define E K
#define E_WORDS K_WORDS
#define E_BYTES K_BYTES
#define WEFT_OF(name) weft_key_##name
#include "weft/workgroup/typed_rows.glsl"
#undef E
#undef E_WORDS
#undef E_BYTES
#undef WEFT_OF

uint weft_tile_key_blocks() { return gl_WorkGroupSize.x / 64u * (WEFT_ROWS * WEFT_PACK * K_BYTES / 4); }

void weft_load_keys(out K keys[WEFT_ROWS][WEFT_PACK], uvec2 memory, bool vectors, uint tile, uint run, uint limit) {
  weft_key_load_rows(keys, memory, vectors, tile * weft_tile_key_blocks(), run, limit, weft_key_zero());
}

#endif
