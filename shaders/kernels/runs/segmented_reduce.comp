#version 460
// Segmented reduction: the total of each segment; for keys also the first key of each segment; for keys and flags also
// the number of segments. In one pass with WEFT_LOOK_BACK, otherwise the last of three dispatches.
//
// Inputs:  `count` elements at source; heads (weft/kernels/runs/segments.glsl); ticket and carries of
//          weft/device/tile_carry.glsl. With offsets, the totals of empty segments are not written:
//          segments_empty.comp.
// Tile:    workgroup size * WEFT_ROWS packs, read once into registers; totals and keys are gathered in workgroup
//          memory, a few rows at a time, and written once. A segment's total is known at the next head. So each tile
//          writes the total of the segment that reaches into it and of all its own but the last; the last tile writes
//          that one too.
// After:   Merrill and Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back; without WEFT_LOOK_BACK
//          Blelloch 1990, Prefix Sums and Their Applications.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/workgroup/staged_rows.glsl"

#include "weft/kernels/runs/segments.glsl"

// For each staged head: the total that ends there, and its key or its index in the tile.
const uint weft_most_staged = gl_WorkGroupSize.x * weft_staged_elements;
shared uint weft_staged_totals[weft_most_staged * WEFT_VALUE_WORDS];
#if defined(WEFT_HEADS_AT_KEYS)
shared uint weft_staged_keys[weft_most_staged * K_WORDS];
#elif defined(WEFT_HEADS_AT_OFFSETS)
shared uint weft_staged_indices[weft_most_staged];
#endif

void weft_stage_total(uint slot, WEFT_VALUE total) {
  uint words[WEFT_VALUE_WORDS] = weft_to_words(total);
  [[unroll]] for (int w = 0; w < WEFT_VALUE_WORDS; ++w) {
    weft_staged_totals[slot * WEFT_VALUE_WORDS + uint(w)] = words[w];
  }
}

// Stages the totals that end at the heads of row `row`, from `slot` on. `running` is that of the elements before the
// row's pack.
void weft_stage_totals(WEFT_VALUE x[WEFT_PACK], uint mask, WEFT_VALUE running, WeftTileHeads heads, int row,
                       uint slot) {
  [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
    if (weft_is_head(mask, k)) {
      weft_stage_total(slot, running);
#if defined(WEFT_HEADS_AT_KEYS)
      uint words[K_WORDS] = weft_to_words(heads.keys[row][k]);
      [[unroll]] for (int w = 0; w < K_WORDS; ++w) weft_staged_keys[slot * K_WORDS + uint(w)] = words[w];
#elif defined(WEFT_HEADS_AT_OFFSETS)
      weft_staged_indices[slot] = weft_pack_index(gl_SubgroupID, row) * WEFT_PACK + uint(k);
#endif
      running = weft_value_identity();
      ++slot;
    }
    running = weft_value_combine(running, x[k]);
  }
}

#ifdef WEFT_HEADS_AT_OFFSETS
// Segment s starts at offset s, so the one that ends at an element has the index of the first offset there, less one.
void weft_store_total(WeftIndex offset, WeftIndex segments, WEFT_VALUE total) {
  bool there = offset != weft_index(0u) && !weft_less(segments, offset);
  if (there) weft_store_at(args.destination, weft_subtract(offset, weft_index(1u)), total);
}

WEFT_VALUE weft_staged_total(uint slot) {
  uint words[WEFT_VALUE_WORDS];
  [[unroll]] for (int w = 0; w < WEFT_VALUE_WORDS; ++w) {
    words[w] = weft_staged_totals[slot * WEFT_VALUE_WORDS + uint(w)];
  }
  WEFT_VALUE total;
  weft_from_words(words, total);
  return total;
}

void weft_store_staged_totals(uint own, uvec2 range, WeftTileHeads heads, uint tile, WeftSegment total,
                              WeftSegment carry) {
  WeftOffsetRange offsets = heads.offsets;
  WeftIndex segments = weft_segment_count();
  // If no two offsets are the same, the heads are the offsets in order.
  bool distinct = weft_subtract(offsets.end, offsets.first) == total.heads;
  for (uint j = gl_SubgroupInvocationID; j < range.y; j += gl_SubgroupSize) {
    WeftIndex offset = weft_add(offsets.first, weft_index(range.x + j));
    if (!distinct) {
      WeftIndex element = weft_add(weft_tile_start(tile), weft_index(weft_staged_indices[own + j]));
      offset = weft_lower_bound(args.heads, offsets.first, offsets.end, element);
    }
    weft_store_total(offset, segments, weft_staged_total(own + j));
  }
}

void weft_store_last(WeftTileHeads heads, WeftSegment all) {
  weft_store_total(heads.offsets.end, weft_segment_count(), all.value);
}

#else
void weft_store_staged_totals(uint own, uvec2 range, WeftTileHeads heads, uint tile, WeftSegment total,
                              WeftSegment carry) {
  WeftIndex rank = weft_add(carry.heads, weft_index(range.x));
  uint first = rank == weft_index(0u) ? 1u : 0u;  // No segment ends at the first head.
  WeftBlockOffset start = weft_element_offset(weft_subtract(weft_add(rank, weft_index(first)), weft_index(1u)));
  uint word = first * WEFT_VALUE_WORDS + gl_SubgroupInvocationID;
  for (; word < range.y * WEFT_VALUE_WORDS; word += gl_SubgroupSize) {
    weft_store_unit(args.destination, T_UNIT_BYTES, start.block, start.unit + word - first * WEFT_VALUE_WORDS,
                    weft_staged_totals[own * WEFT_VALUE_WORDS + word]);
  }
#ifdef WEFT_HEADS_AT_KEYS
  WeftBlockOffset keys = weft_block_offset(rank, K_WORDS, K_BYTES / K_WORDS);
  for (uint word = gl_SubgroupInvocationID; word < range.y * K_WORDS; word += gl_SubgroupSize) {
    weft_store_unit(args.keys_destination, K_BYTES / K_WORDS, keys.block, keys.unit + word,
                    weft_staged_keys[own * K_WORDS + word]);
  }
#endif
}

void weft_store_last(WeftTileHeads heads, WeftSegment all) {
  weft_write_count(args.segments, args.options, weft_wide(all.heads));
  if (weft_has_head(all)) weft_store_at(args.destination, weft_subtract(all.heads, weft_index(1u)), all.value);
}
#endif

void weft_store_totals(WEFT_VALUE x[WEFT_ROWS][WEFT_PACK], uint masks[WEFT_ROWS], WeftSegment before[WEFT_ROWS],
                       WeftTileHeads heads, uint tile, WeftSegment total, WeftSegment carry, bool last) {
  uint own = weft_own_staged(), ranks[WEFT_ROWS];
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) ranks[row] = weft_wide(before[row].heads).x;
  [[unroll]] for (int first = 0; first < WEFT_ROWS; first += WEFT_STAGED_ROWS) {
    uvec2 range = weft_staged_range(masks, ranks, first);
    [[unroll]] for (int row = first; row < min(first + WEFT_STAGED_ROWS, WEFT_ROWS); ++row) {
      // The carry goes into the total that ends at the tile's first head.
      WEFT_VALUE running = before[row].value;
      if (ranks[row] == 0u) running = weft_value_combine(carry.value, running);
      weft_stage_totals(x[row], masks[row], running, heads, row, own + ranks[row] - range.x);
    }
    weft_staged_barrier();
    weft_store_staged_totals(own, range, heads, tile, total, carry);
    weft_staged_barrier();  // The next rows use the same memory.
  }
  if (last && gl_LocalInvocationIndex == 0u) weft_store_last(heads, weft_segment_combine(carry, total));
}

void main() {
  WeftExtent extent = weft_segments_extent();
  uint tile = weft_take_tile(args.ticket);
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);

  WEFT_VALUE x[WEFT_ROWS][WEFT_PACK];
  uint masks[WEFT_ROWS];
  weft_load_values(x, tile, limit);
  WeftTileHeads heads = weft_load_heads(masks, tile, limit);
  WeftSegment before[WEFT_ROWS], total;
  weft_scan_segments(x, masks, before, total);
  WeftSegment carry = weft_segment_carry(args.carries, tile, total);
  weft_store_totals(x, masks, before, heads, tile, total, carry, tile + 1u == extent.tiles);
}
