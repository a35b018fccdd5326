#version 460
// Run-length encoding: the first element of each run, its length, and the number of runs. In one pass with
// WEFT_LOOK_BACK, otherwise the last of three dispatches.
//
// Inputs:  `count` elements at source; ticket and carries of weft/device/tile_carry.glsl.
// Tile:    workgroup size * WEFT_ROWS packs, read once into registers; heads and their indices are gathered in
//          workgroup memory, a few rows at a time, and written once. A run's length is known at the next head. So each
//          tile writes the length of the run that reaches into it and of all its own but the last; the last tile writes
//          that one too.
// After:   Merrill and Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back; without WEFT_LOOK_BACK
//          Blelloch 1990, Prefix Sums and Their Applications.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/runs/run_length.glsl"

#include "weft/thread/element_memory.glsl"
#include "weft/workgroup/staged_rows.glsl"

shared uint weft_staged_words[gl_WorkGroupSize.x * (weft_staged_elements * T_WORDS)];
shared uint weft_staged_heads[gl_WorkGroupSize.x * weft_staged_elements];  // Their indices in the tile.

// Stages the elements at the heads, and the heads' indices, from slot `at` on.
void weft_stage_heads(T x[WEFT_PACK], uint mask, uint first, uint at) {
  [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
    if ((mask & (1u << uint(k))) == 0u) continue;
    uint words[T_WORDS] = weft_to_words(x[k]);
    [[unroll]] for (int w = 0; w < T_WORDS; ++w) weft_staged_words[at * T_WORDS + uint(w)] = words[w];
    weft_staged_heads[at] = first + uint(k);
    ++at;
  }
}

// Stores the lengths of the runs that end at `number` staged heads. The first of them is the tile's head `rank` and
// follows the head `previous`.
void weft_store_lengths(uint own, uint rank, uint number, uint previous, uint tile, WeftSegment carry) {
  for (uint j = gl_SubgroupInvocationID; j < number; j += gl_SubgroupSize) {
    WeftIndex run = weft_subtract(weft_add(carry.heads, weft_index(rank + j)), weft_index(1u));
    uint head = weft_staged_heads[own + j];
    if (rank + j > 0u) {
      weft_store_index(args.lengths, run, weft_index(head - (j > 0u ? weft_staged_heads[own + j - 1u] : previous)));
    } else if (tile > 0u) {
      // The tile's first head ends the carried run; the first tile has none.
      weft_store_index(args.lengths, run, weft_add(carry.value, weft_index(head)));
    }
  }
}

void weft_store_runs(T x[WEFT_ROWS][WEFT_PACK], uint masks[WEFT_ROWS], uint before[WEFT_ROWS], uint tile, uint limit,
                     WeftSegment runs, WeftSegment carry, bool last) {
  WeftBlockOffset start = weft_element_offset(carry.heads);
  uint own = weft_own_staged(), previous = weft_head_before();
  [[unroll]] for (int first = 0; first < WEFT_ROWS; first += WEFT_STAGED_ROWS) {
    uvec2 range = weft_staged_range(masks, before, first);
    [[unroll]] for (int row = first; row < min(first + WEFT_STAGED_ROWS, WEFT_ROWS); ++row) {
      uint pack = weft_pack_index(gl_SubgroupID, row) * WEFT_PACK;
      weft_stage_heads(x[row], masks[row], pack, own + before[row] - range.x);
    }
    weft_staged_barrier();
    for (uint word = gl_SubgroupInvocationID; word < range.y * T_WORDS; word += gl_SubgroupSize) {
      weft_store_unit(args.destination, T_UNIT_BYTES, start.block, start.unit + range.x * T_WORDS + word,
                      weft_staged_words[own * T_WORDS + word]);
    }
    weft_store_lengths(own, range.x, range.y, previous, tile, carry);
    if (range.y > 0u) previous = weft_staged_heads[own + range.y - 1u];
    weft_staged_barrier();  // The next rows use the same memory.
  }
  if (!last || gl_LocalInvocationIndex != 0u) return;
  WeftSegment all = weft_segment_combine(carry, runs);
  weft_write_count(args.runs, args.options, weft_wide(all.heads));
  if (weft_has_head(all)) weft_store_index(args.lengths, weft_subtract(all.heads, weft_index(1u)), all.value);
}

void main() {
  WeftExtent extent = weft_run_extent();
  uint tile = weft_take_tile(args.ticket);
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);

  T x[WEFT_ROWS][WEFT_PACK];
  uint masks[WEFT_ROWS], before[WEFT_ROWS];
  uint total = weft_take_runs(x, masks, before, tile, limit);
  WeftSegment runs = weft_tile_runs(masks, before, total, limit);
  WeftSegment carry = weft_segment_carry(args.carries, tile, runs);
  weft_store_runs(x, masks, before, tile, limit, runs, carry, tile + 1u == extent.tiles);
}
