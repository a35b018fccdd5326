#version 460
// Erases keys from a hash table.
//
// Inputs:  `count` keys.
// Results: 1 if this erased the key, else 0.
// Tile:    workgroup size * WEFT_ROWS keys.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#define WEFT_HASH_ERASES
#include "weft/kernels/tables/each_key.glsl"

uint weft_process(uint tile, uint element, WeftHashKey key) { return uint(weft_hash_erase(weft_table(), key)); }
