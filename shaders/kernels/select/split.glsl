// A tile of a split: which elements go to the first output, which to the second, and storing them.
//
// Gives:    uint weft_load_split(x, first, second, before, source, options, tile, limit)   masks of both, and how many of each come before
//                    each row's pack and are in the tile: the first in the lower 16 bits, the second in the upper
//           void weft_stage_split(x, first, second, before, total, limit)   before weft_store_split(), with a barrier in
//                                                                           between
//           void weft_store_split(x, second, before, total, tile, last, limit, place, outputs)
//                    `place`: how many of both come before the tile; `last`: it is the last tile
// Macros:   those of weft/workgroup/tile.glsl; WEFT_WHERE and WEFT_WHERE_SECOND, expressions as select.glsl takes them
//           WEFT_THREE_WAY   optional: what goes to the first does not go to the second, and the rest to the third
#ifndef WEFT_KERNELS_SPLIT
#define WEFT_KERNELS_SPLIT

#include "weft/device/tickets.glsl"
#include "weft/kernels/select/selected_tile.glsl"
#include "weft/thread/index_pair.glsl"
#include "weft/workgroup/stage.glsl"

bool weft_where_second(T x, uint i) { return WEFT_WHERE_SECOND; }

uint weft_load_split(out T x[WEFT_ROWS][WEFT_PACK], out uint first[WEFT_ROWS], out uint second[WEFT_ROWS],
                     out uint before[WEFT_ROWS], uvec2 source, uint options, uint tile, uint limit) {
  weft_load_selected(x, first, source, uvec2(0u), options, tile, limit);
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint index = tile * weft_tile_size() + weft_pack_index(gl_SubgroupID, row) * WEFT_PACK;
    uint there = weft_all_in_pack(gl_SubgroupID, row, limit);
#ifdef WEFT_THREE_WAY
    there &= ~first[row];
#endif
    second[row] = 0u;
    [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
      uint bit = 1u << uint(k);
      if ((there & bit) != 0u && weft_where_second(x[row][k], index + uint(k))) second[row] |= bit;
    }
    before[row] = uint(bitCount(first[row])) | uint(bitCount(second[row])) << 16;
  }
  uint total;
  weft_count_workgroup_scan_rows(before, total);
  return total;
}

void weft_stage_part(T x[WEFT_ROWS][WEFT_PACK], uint masks[WEFT_ROWS], uint before[WEFT_ROWS], uint shift,
                     uint first) {
  uint places[WEFT_ROWS];
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) places[row] = before[row] >> shift & 0xFFFFu;
  weft_stage_rows(x, masks, places, first);
}

void weft_stage_split(T x[WEFT_ROWS][WEFT_PACK], uint first[WEFT_ROWS], uint second[WEFT_ROWS],
                      uint before[WEFT_ROWS], uint total, uint limit) {
  weft_stage_part(x, first, before, 0u, 0u);
#ifdef WEFT_THREE_WAY
  uint firsts = total & 0xFFFFu;
  weft_stage_part(x, second, before, 16u, firsts);
  uint rest[WEFT_ROWS], places[WEFT_ROWS];
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    rest[row] = weft_all_in_pack(gl_SubgroupID, row, limit) & ~(first[row] | second[row]);
    places[row] = min(weft_pack_index(gl_SubgroupID, row) * WEFT_PACK, limit);
    places[row] -= (before[row] & 0xFFFFu) + (before[row] >> 16);
  }
  weft_stage_rows(x, rest, places, firsts + (total >> 16));
#endif
}

#ifdef WEFT_WIDE_INDEX
WeftIndex weft_start_of_tile(uint tile) { return weft_multiply(uvec2(tile, 0u), weft_tile_size()); }
#else
WeftIndex weft_start_of_tile(uint tile) { return tile * weft_tile_size(); }
#endif

// Where the outputs are, and their three counts.
struct WeftSplitOutputs {
  uvec2 first, second, third, counts;
};

layout(buffer_reference, scalar, buffer_reference_align = 8) buffer WeftSplitCounts { uvec2 count[]; };

void weft_store_split(T x[WEFT_ROWS][WEFT_PACK], uint second[WEFT_ROWS], uint before[WEFT_ROWS], uint total, uint tile,
                      bool last, uint limit, WeftIndexPair place, WeftSplitOutputs outputs) {
  uint firsts = total & 0xFFFFu, seconds = total >> 16;
  WeftIndexPair end = weft_add_pairs(place, weft_index_pair(firsts, seconds));
  weft_store_staged(outputs.first, weft_first(place), 0u, firsts);
#ifdef WEFT_THREE_WAY
  weft_store_staged(outputs.second, weft_second(place), firsts, seconds);
  WeftIndex rest = weft_subtract(weft_start_of_tile(tile), weft_add(weft_first(place), weft_second(place)));
  uint thirds = limit - firsts - seconds;
  weft_store_staged(outputs.third, rest, firsts + seconds, thirds);
#else
  barrier();
  weft_stage_part(x, second, before, 16u, 0u);
  barrier();
  weft_store_staged(outputs.second, weft_second(place), 0u, seconds);
#endif
  if (last && gl_LocalInvocationIndex == 0u) {
    WeftSplitCounts counts = WeftSplitCounts(outputs.counts);
    counts.count[0] = weft_wide(weft_first(end));
    counts.count[1] = weft_wide(weft_second(end));
#ifdef WEFT_THREE_WAY
    counts.count[2] = weft_wide(weft_add(rest, weft_index(thirds)));
#endif
  }
}

#endif
