#version 460
// Inserts keys, with their values, into a hash table.
//
// Inputs:  `count` keys and, for a map without WEFT_VALUE_AT, values. WEFT_VALUE_AT is an expression of `i`, the index.
// Results: weft_hash_found, weft_hash_inserted, weft_hash_full.
// Tile:    workgroup size * WEFT_ROWS keys.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/tables/keys.glsl"

WeftHashValue value_at(uint tile, uint element) {
#ifdef WEFT_VALUE_AT
  uint i = tile * weft_tile_size() + element;
  return weft_value_of(WEFT_VALUE_AT);
#elif WEFT_HASH_VALUE_WORDS > 0
  return weft_load_words(args.values, tile, element, WeftHashValue(0u));
#else
  return 0u;
#endif
}

uint weft_process(uint tile, uint element, WeftHashKey key) {
  WeftIndex slot;
  return weft_hash_insert(weft_table(), key, value_at(tile, element), slot);
}
