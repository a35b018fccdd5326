#version 460
// Inserts the entries of a hash table into another one.
//
// Inputs:  two tables that differ in capacity alone.
// Results: weft_hash_found, weft_hash_inserted, weft_hash_full.
// Tile:    workgroup size * WEFT_ROWS slots of the first (WEFT_PACK is 1).
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/tables/table.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/tables/counts.glsl"
#include "weft/workgroup/extent.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 slots;
  uvec2 capacity;
  uvec2 other_slots;
  uvec2 other_capacity;
  uvec2 counts;  // A word of 64 or 32 bits for each result, or 0.
  uint options;
  uint unused;
} args;

void main() {
  WeftHashTable table = WeftHashTable(args.slots, args.capacity);
  WeftHashTable other = WeftHashTable(args.other_slots, args.other_capacity);
  WeftExtent extent = weft_extent(weft_wide(weft_hash_slots(table)));
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);
  WeftIndex first = weft_product(tile, weft_tile_size()), slot;
  uvec3 results = uvec3(0u);
  for (uint element = gl_LocalInvocationIndex; element < limit; element += gl_WorkGroupSize.x) {
    WeftHashKey key;
    WeftHashValue value;
    if (!weft_hash_entry(table, weft_add(first, element), key, value)) continue;
    results += weft_one(weft_hash_insert(other, key, value, slot));
  }
  weft_add_results(args.counts, args.options, results);
}
