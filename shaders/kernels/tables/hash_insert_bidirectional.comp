#version 460
// Inserts keys, with their values, into a bidirectional hash table. Leaves some to hash_insert_rest.comp.
//
// Inputs:  those of hash_insert.comp.
// Results: weft_hash_found, weft_hash_inserted, weft_hash_full; weft_hash_busy for keys that are left.
// Tile:    workgroup size * WEFT_ROWS keys. The lanes of a subgroup insert together.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/tables/counts.glsl"
#include "weft/kernels/tables/insert_key.glsl"
#include "weft/kernels/tables/left_keys.glsl"

uint insert_together(uint tile, uint element, bool wanted) {
  WeftHashKey key = WeftHashKey(0u);
  WeftHashValue value = WeftHashValue(0u);
  if (wanted) {
    key = weft_load_words(args.keys, tile, element, key);
    value = weft_value_at(tile, element);
  }
  WeftIndex slot;
  uint result = weft_hash_insert_together(weft_table(), key, value, wanted, slot);
  if (wanted) weft_store_words(args.results, tile, element, result);
  return result;
}

void main() {
  WeftExtent extent = weft_keys_extent();
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);
  int left = 0;
  uvec3 results = uvec3(0u);
  for (uint row = 0u; row < limit; row += gl_WorkGroupSize.x) {
    uint element = row + gl_LocalInvocationIndex;
    bool wanted = element < limit;
    uint result = insert_together(tile, element, wanted);
    if (wanted) results += weft_one(result);
    left += int(result == weft_hash_busy);
  }
  if (left != 0) weft_set_left(args.left, tile % weft_left_buckets, true);
  weft_add_left(args.left, left);
  weft_add_results(args.counts, args.options, results);
}
