#version 460
// Run-length decoding, as shaders/kernels/runs/run_length_decode.comp, by workgroups of one invocation.
//
// Inputs:  as there; 32-bit offsets.
// Tile:    WEFT_ROWS packs of the destination. Heads are marked block by block; then each element looks up the value of
//          its run, without a branch.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/runs/run_length_decode.glsl"
#include "weft/serial/offsets.glsl"

void main() {
  uint tile = weft_group_index();
  uint runs = weft_count(args.runs, args.options, args.runs_on_device).x;
  uvec2 count = weft_min(weft_wide(weft_load_index(args.offsets, runs)), args.capacity);
  if (tile == 0u) weft_write_count(args.decoded, args.options, count);
  uint limit = weft_tile_limit(weft_extent(count), tile);
  if (limit == 0u) return;

  WeftCandidates elements = weft_candidates(args.offsets, runs + 1u, tile, limit);
  // Run r starts at offset r. So the first values are those before the tile's first offset, the carried run's.
  uvec2 values = weft_subtract(weft_element_address(args.values, T_BYTES, elements.next), uvec2(T_BYTES, 0u));
  uint run = 0u, marks[weft_block];
  for (uint first = 0u; first < limit;) {
    uvec2 destination = weft_part_of(args.destination, T_BYTES, tile, first);
    uint next = elements.next, block = weft_mark_block(elements, marks);
    if (elements.next == next) {
      T x = weft_load_element(values, 0u, run);
      for (uint i = 0u; i < block; ++i) weft_store_element(destination, 0u, i, x);
    } else {
      for (uint i = 0u; i < block; ++i) {
        run += marks[i];
        weft_store_element(destination, 0u, i, weft_load_element(values, 0u, run));
      }
    }
    first += block;
  }
}
