#version 460
// Run-length encoding, as shaders/kernels/runs/run_length.comp, by workgroups of one invocation.
//
// Inputs:  as there.
// Tile:    WEFT_ROWS packs, read to count the heads, and again from the cache once their place is known. Heads are
//          listed block by block, without a branch; what is written depends on the list alone.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/runs/run_length_serial.glsl"

// Stores the heads of a tile, and the lengths of the runs that end at one.
void store_runs(WeftCandidates c, WeftIndex rank) {
  uvec2 heads = weft_element_address(args.destination, T_BYTES, rank);
  uvec2 lengths = weft_element_address(args.lengths, 4u * WEFT_INDEX_WORDS, rank);
  lengths = weft_subtract(lengths, uvec2(4u * WEFT_INDEX_WORDS * (1u - c.heads), 0u));
  weft_store_head(heads, c);
  uint marks[weft_block], list[weft_block + 1u];  // After the head before them, the heads of a block.
  list[0] = 0u;
  uint first = c.heads;
  while (c.count > 0u) {
    uvec2 elements = c.elements;
    uint count = weft_mark_block(c, marks), number = 0u;
    for (uint i = 0u; i < count; ++i) {
      list[number + 1u] = i;
      number += marks[i];
    }
    for (uint j = 0u; j < number; ++j) {
      weft_store_element(heads, 0u, j, weft_load_element(elements, 0u, list[j + 1u]));
    }
    for (uint j = 1u; j < number + 1u; ++j) list[j] += first;
    for (uint j = 0u; j < number; ++j) weft_store_index_near(lengths, j, weft_index(list[j + 1u] - list[j]));
    list[0] = list[number];
    heads = weft_add(heads, number * T_BYTES);
    lengths = weft_add(lengths, number * (4u * WEFT_INDEX_WORDS));
    first += count;
  }
}

void main() {
  WeftExtent extent = weft_run_extent();
  uint tile = weft_take_tile(args.ticket);
  if (tile >= extent.tiles) return;
  WeftCandidates candidates = weft_candidates(args.source, uvec2(0u), tile, weft_tile_limit(extent, tile));
  WeftSegment runs = weft_tile_runs(candidates);
  WeftSegment carry = weft_segment_carry(args.carries, tile, runs);
  store_runs(candidates, carry.heads);
  if (tile > 0u && weft_has_head(runs)) {
    // The part of the carried run that is in this tile has been stored as its length.
    WeftIndex carried = weft_subtract(carry.heads, weft_index(1u));
    weft_store_index(args.lengths, carried, weft_add(carry.value, weft_load_index(args.lengths, carried)));
  }
  if (tile + 1u < extent.tiles) return;
  WeftSegment all = weft_segment_combine(carry, runs);
  weft_write_count(args.runs, args.options, weft_wide(all.heads));
  if (weft_has_head(all)) weft_store_index(args.lengths, weft_subtract(all.heads, weft_index(1u)), all.value);
}
