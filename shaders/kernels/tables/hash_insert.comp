#version 460
// Inserts keys, with their values, into a hash table.
//
// Inputs:  `count` keys and, for a map without WEFT_VALUE_AT, values. WEFT_VALUE_AT is an expression of `i`, the index.
// Results: weft_hash_found, weft_hash_inserted, weft_hash_full.
// Tile:    workgroup size * WEFT_ROWS keys.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/tables/insert_key.glsl"
#include "weft/kernels/tables/each_key.glsl"
