#version 460
// Makes every slot of a hash table empty, with the operator's identity as its value.
//
// Inputs:  a table with split slots.
// Tile:    workgroup size * WEFT_ROWS slots (WEFT_PACK is 1).
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/tables/table.glsl"

#include "weft/device/tickets.glsl"
#include "weft/workgroup/extent.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 slots;
  uvec2 capacity;
} args;

void main() {
  WeftHashTable table = WeftHashTable(args.slots, args.capacity);
  WeftExtent extent = weft_extent(weft_wide(weft_hash_slots(table)));
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);
  WeftIndex first = weft_product(tile, weft_tile_size());
  for (uint element = gl_LocalInvocationIndex; element < limit; element += gl_WorkGroupSize.x) {
    WeftIndex slot = weft_add(first, element);
    WeftHashSlot(weft_hash_address(table, slot)).word = WEFT_HASH_TO_MEMORY(WeftHashWord(0xFFFFFFFFu));
    weft_hash_store_value(table, slot, WEFT_HASH_IDENTITY);
  }
}
