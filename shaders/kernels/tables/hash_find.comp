#version 460
// Looks keys up in a hash table.
//
// Inputs:  `count` keys.
// Results: 1 if the table has the key, else 0. Values of keys that it has, if args.values is given.
// Tile:    workgroup size * WEFT_ROWS keys.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#define WEFT_HASH_READ_ONLY
#include "weft/kernels/tables/each_key.glsl"

uint weft_process(uint tile, uint element, WeftHashKey key) {
  WeftHashValue value;
  WeftIndex slot;
  bool found = weft_hash_find(weft_table(), key, value, slot);
#if WEFT_HASH_VALUE_WORDS > 0
  if (found && args.values != uvec2(0u)) weft_store_words(args.values, tile, element, value);
#endif
  return uint(found);
}
