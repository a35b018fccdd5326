// Shared by the dispatches of a split: a tile's masks, and storing its elements.
//
// Gives:    everything in weft/kernels/select/split_arguments.glsl
//           uint weft_load_split(out x, out first, out second, out before, tile, limit)
//                    the masks of both outputs; their elements before each row's pack, and in the tile: the first
//                    output's in the lower 16 bits, the second's in the upper
//           void weft_stage_split(x, first, second, before, total, limit)   a barrier follows, then
//           void weft_store_split(x, second, before, total, tile, last, limit, carry)   `last`: no tile follows
// Macros:   those of weft/workgroup/tile.glsl and weft/kernels/select/split_arguments.glsl
//           WEFT_WHERE, WEFT_WHERE_SECOND   expressions as weft/workgroup/select.glsl takes them
//           WEFT_THREE_WAY   optional: the second output gets no element of the first, and the third all others
#ifndef WEFT_KERNELS_SPLIT
#define WEFT_KERNELS_SPLIT

#include "weft/workgroup/scan_counts.glsl"

#include "weft/kernels/select/split_arguments.glsl"

#include "weft/kernels/select/selected_tile.glsl"
#include "weft/workgroup/stage.glsl"

bool weft_where_second(T x, uint i) { return WEFT_WHERE_SECOND; }

uint weft_load_split(out T x[WEFT_ROWS][WEFT_PACK], out uint first[WEFT_ROWS], out uint second[WEFT_ROWS],
                     out uint before[WEFT_ROWS], uint tile, uint limit) {
  weft_load_selected(x, first, args.source, uvec2(0u), args.options, tile, limit);
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
  uint ranks[WEFT_ROWS];
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) ranks[row] = before[row] >> shift & 0xFFFFu;
  weft_stage_rows(x, masks, ranks, first);
}

void weft_stage_split(T x[WEFT_ROWS][WEFT_PACK], uint first[WEFT_ROWS], uint second[WEFT_ROWS],
                      uint before[WEFT_ROWS], uint total, uint limit) {
  weft_stage_part(x, first, before, 0u, 0u);
#ifdef WEFT_THREE_WAY
  uint firsts = total & 0xFFFFu;
  weft_stage_part(x, second, before, 16u, firsts);
  uint rest[WEFT_ROWS], ranks[WEFT_ROWS];
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    rest[row] = weft_all_in_pack(gl_SubgroupID, row, limit) & ~(first[row] | second[row]);
    ranks[row] = min(weft_pack_index(gl_SubgroupID, row) * WEFT_PACK, limit);
    ranks[row] -= (before[row] & 0xFFFFu) + (before[row] >> 16);
  }
  weft_stage_rows(x, rest, ranks, firsts + (total >> 16));
#endif
}

void weft_store_split(T x[WEFT_ROWS][WEFT_PACK], uint second[WEFT_ROWS], uint before[WEFT_ROWS], uint total, uint tile,
                      bool last, uint limit, WeftIndexPair carry) {
  uint firsts = total & 0xFFFFu, seconds = total >> 16;
  WeftIndexPair end = weft_add_pairs(carry, weft_index_pair(firsts, seconds));
  weft_store_staged(args.first, weft_first(carry), 0u, firsts);
#ifdef WEFT_THREE_WAY
  weft_store_staged(args.second, weft_second(carry), firsts, seconds);
  WeftIndex rest = weft_subtract(weft_start_of_tile(tile), weft_add(weft_first(carry), weft_second(carry)));
  uint thirds = limit - firsts - seconds;
  weft_store_staged(args.third, rest, firsts + seconds, thirds);
#else
  barrier();
  weft_stage_part(x, second, before, 16u, 0u);
  barrier();
  weft_store_staged(args.second, weft_second(carry), 0u, seconds);
#endif
  if (last && gl_LocalInvocationIndex == 0u) {
    weft_write_split_count(0u, weft_first(end));
    weft_write_split_count(1u, weft_second(end));
#ifdef WEFT_THREE_WAY
    weft_write_split_count(2u, weft_add(rest, weft_index(thirds)));
#endif
  }
}

#endif
