// The keys of a tile, in an array of their own beside the tile's elements.
//
// Gives:    K, and for structs weft_to_words() and weft_from_words()
//           void weft_load_keys(out keys, memory, vectors, tile, run, limit)   with zeros past `limit`
//           uint weft_tile_key_blocks()   256-byte blocks of a tile's keys
//           weft_key_load_element(), weft_key_load_rows() and the others of weft/thread/typed_memory.glsl and
//           weft/workgroup/typed_rows.glsl
// Macros:   those of weft/workgroup/tile.glsl
//           K_WORDS, K_BYTES   a key's 32-bit words in registers, and its bytes in memory
//           WEFT_KEY_SCALAR    a scalar's type; or for a struct WEFT_KEY_STRUCT_FIELDS, WEFT_KEY_STRUCT_TO_WORDS and
//                              WEFT_KEY_STRUCT_FROM_WORDS, as weft/thread/element_type.glsl takes them for elements
// Usage:    K keys[WEFT_ROWS][WEFT_PACK];
//           weft_load_keys(keys, args.keys, vectors, tile, gl_SubgroupID, limit);
#ifndef WEFT_WORKGROUP_KEYS
#define WEFT_WORKGROUP_KEYS

#include "weft/workgroup/tile.glsl"

#ifdef WEFT_KEY_SCALAR
#define K WEFT_KEY_SCALAR
#else
struct WeftKey {
  WEFT_KEY_STRUCT_FIELDS
};
#define K WeftKey

uint[K_WORDS] weft_to_words(WeftKey e) { return uint[K_WORDS](WEFT_KEY_STRUCT_TO_WORDS); }
void weft_from_words(uint words[K_WORDS], out WeftKey e) { e = WeftKey(WEFT_KEY_STRUCT_FROM_WORDS); }
#endif

#define E K
#define E_WORDS K_WORDS
#define E_BYTES K_BYTES
#define WEFT_OF(name) weft_key_##name
#include "weft/thread/typed_memory.glsl"

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
