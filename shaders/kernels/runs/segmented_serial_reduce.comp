#version 460
// Segmented reduction, as shaders/kernels/runs/segmented_reduce.comp, by workgroups of one invocation.
//
// Inputs:  as there.
// Tile:    WEFT_ROWS packs, read for its total, and again from the cache once its carry is known. Each element's
//          running total is stored as that of its segment; the last one stays. A tile writes the totals of segments
//          that end at its heads; the last tile writes that of the last segment too.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/runs/segments_serial.glsl"

#ifdef WEFT_HEADS_AT_OFFSETS
// Segments before the tile, and one that reaches into it. Segment s starts at offset s.
WeftIndex segments_before(WeftCandidates c, WeftSegment carry) { return c.next; }

void store_last(WeftCandidates c, uint heads, WeftSegment all) {
  uint segments = c.next + heads;
  if (segments > 0u && segments <= weft_segment_count()) weft_store_at(args.destination, segments - 1u, all.value);
}
#else
WeftIndex segments_before(WeftCandidates c, WeftSegment carry) { return carry.heads; }

void store_last(WeftCandidates c, uint heads, WeftSegment all) {
  weft_write_count(args.segments, args.options, weft_wide(all.heads));
  if (weft_has_head(all)) weft_store_at(args.destination, weft_subtract(all.heads, weft_index(1u)), all.value);
}
#endif

// `last` is 1 more than the index of the last candidate that is a head.
void store_totals(WeftCandidates c, uint last, uint tile, WeftSegment carry) {
  WeftIndex before = segments_before(c, carry);
  uvec2 totals = weft_subtract(weft_element_address(args.destination, T_BYTES, before), uvec2(T_BYTES, 0u));
  WEFT_VALUE running = carry.value, nothing = weft_value_identity();
  uint segment = c.heads, marks[weft_block];
  if (c.heads > 0u) running = weft_load_element(weft_part_of(args.source, T_BYTES, tile, 0u), 0u, 0u);
#ifdef WEFT_HEADS_AT_KEYS
  uvec2 keys = weft_element_address(args.keys_destination, K_BYTES, before);
  if (c.heads > 0u) weft_key_store_element(keys, 0u, 0u, weft_key_load_element(c.beside, 0u, 0u));
#endif
  bool none = before == weft_index(0u);  // Elements before the first offset are of no segment.
  for (uint done = 0u; done < last;) {
    uvec2 values = weft_part_of(args.source, T_BYTES, tile, c.heads + done);
#ifdef WEFT_HEADS_AT_KEYS
    uvec2 candidates = c.elements;
#endif
    uint count = min(weft_mark_block(c, marks), last - done), heads = 0u;
    done += count;
    for (uint i = 0u; i < count; ++i) heads += marks[i];
    if (heads == 0u) {
      for (uint i = 0u; i < count; ++i) running = weft_value_combine(running, weft_load_element(values, 0u, i));
      continue;
    }
    for (uint i = 0u; i < count; ++i) {
#ifdef WEFT_HEADS_AT_OFFSETS
      if (!none || segment > 0u)
#endif
        weft_store_element(totals, 0u, segment, running);
#ifdef WEFT_HEADS_AT_KEYS
      weft_key_store_element(keys, 0u, segment, weft_key_load_element(candidates, 0u, i));
#endif
      segment += marks[i];
      running = weft_value_combine(marks[i] > 0u ? nothing : running, weft_load_element(values, 0u, i));
    }
  }
}

void main() {
  WeftExtent extent = weft_segments_extent();
  uint tile = weft_take_tile(args.ticket);
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);
  WeftCandidates candidates = weft_head_candidates(tile, limit);
  uvec2 heads = weft_find_heads(candidates);
  WeftSegment total = weft_tile_segment(candidates, heads, tile, limit);
  WeftSegment carry = weft_segment_carry(args.carries, tile, total);
  store_totals(candidates, heads.y, tile, carry);
  if (tile + 1u == extent.tiles) store_last(candidates, heads.x, weft_segment_combine(carry, total));
}
