#version 460
// Lists the entries of a hash table, in no particular order, and counts them.
//
// Inputs:  a table; room for `room` keys and values.
// Tile:    workgroup size * WEFT_ROWS slots (WEFT_PACK is 1).
// After:   Adinets 2014, CUDA Pro Tip: Optimized Filtering with Warp-Aggregated Atomics.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#define WEFT_HASH_READ_ONLY
#include "weft/kernels/tables/table.glsl"

#include "weft/device/enqueue.glsl"
#include "weft/device/tickets.glsl"
#include "weft/workgroup/extent.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 slots;
  uvec2 capacity;
  uvec2 keys;
  uvec2 values;
  WeftQueue entries;
  uvec2 room;
} args;

void store(uvec2 memory, WeftIndex rank, uint x) { WeftWords(weft_element_address(memory, 4u, rank)).word[0] = x; }
void store(uvec2 memory, WeftIndex rank, uvec2 x) {
  WeftWords to = WeftWords(weft_element_address(memory, 8u, rank));
  to.word[0] = x.x;
  to.word[1] = x.y;
}

void main() {
  WeftHashTable table = WeftHashTable(args.slots, args.capacity);
  WeftIndex slots = weft_hash_slots(table);
  WeftExtent extent = weft_extent(weft_wide(slots));
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;

  uint limit = weft_tile_limit(extent, tile), used = 0u;
  WeftIndex first = weft_product(tile, weft_tile_size());
  WeftHashKey keys[WEFT_ROWS];
  WeftHashValue values[WEFT_ROWS];
  bool has[WEFT_ROWS];
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint element = uint(row) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    has[row] = element < limit && weft_hash_entry(table, weft_add(first, element), keys[row], values[row]);
    used += uint(has[row]);
  }
  WeftIndex rank = weft_enqueue_workgroup(args.entries, used);
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    if (!has[row]) continue;
    if (weft_less(rank, weft_index(args.room))) {
      store(args.keys, rank, keys[row]);
#if WEFT_HASH_VALUE_WORDS > 0
      if (args.values != uvec2(0u)) store(args.values, rank, values[row]);
#endif
    }
    rank = weft_add(rank, 1u);
  }
}
