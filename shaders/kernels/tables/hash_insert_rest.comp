#version 460
// Inserts those keys into a bidirectional hash table whose insertion gave up: one at a time, so that nobody is in the
// way.
//
// Inputs:  those of hash_insert.comp, and its results.
// Results: weft_hash_found, weft_hash_inserted, weft_hash_full.
// Tile:    workgroup size * WEFT_ROWS keys. One workgroup takes all tiles.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/tables/counts.glsl"
#include "weft/kernels/tables/insert_key.glsl"

shared uint weft_any_left;

bool any_left(bool mine) {
  if (gl_LocalInvocationIndex == 0u) weft_any_left = 0u;
  barrier();
  if (mine) atomicOr(weft_any_left, 1u);
  barrier();
  bool any = subgroupBroadcastFirst(weft_any_left) != 0u;
  barrier();
  return any;
}

void main() {
  WeftExtent extent = weft_keys_extent();
  if (WeftWords(args.busy).word[0] == 0u) return;
  uvec3 results = uvec3(0u);
  for (uint tile = 0u; tile < extent.tiles; ++tile) {
    uint limit = weft_tile_limit(extent, tile);
    for (uint row = 0u; row < limit; row += gl_WorkGroupSize.x) {
      uint element = row + gl_LocalInvocationIndex;
      bool is_left = false;
      if (element < limit) {
        is_left = weft_load_words(args.results, tile, element, 0u) == weft_hash_busy;
      }
      if (!any_left(is_left)) continue;
      for (uint turn = 0u; turn < gl_WorkGroupSize.x; ++turn) {
        if (turn == gl_LocalInvocationIndex && is_left) results += weft_one(weft_process_one(tile, element));
        barrier();
      }
    }
  }
  if (args.counts != uvec2(0u)) weft_add_results(args.counts, results);
}
