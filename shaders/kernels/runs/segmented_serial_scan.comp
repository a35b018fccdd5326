#version 460
// Segmented prefix scan, as shaders/kernels/runs/segmented_scan.comp, by workgroups of one invocation.
//
// Inputs:  as there.
// Macros:  as there.
// Tile:    WEFT_ROWS packs, read for its total, and again from the cache once its carry is known. In place works: a
//          tile is read and written by one workgroup.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/runs/segments_serial.glsl"

#ifdef WEFT_INITIAL
WEFT_VALUE scan_start() { return weft_initial(); }
WEFT_VALUE scan_from_start(WEFT_VALUE x) { return weft_value_combine(weft_initial(), x); }
#else
WEFT_VALUE scan_start() { return weft_value_identity(); }
WEFT_VALUE scan_from_start(WEFT_VALUE x) { return x; }
#endif

void scan_at(uvec2 source, uvec2 destination, uint i, uint head, inout WEFT_VALUE running) {
  WEFT_VALUE start = scan_start(), before = head > 0u ? start : running;
  running = weft_value_combine(before, weft_load_element(source, 0u, i));
#ifdef WEFT_EXCLUSIVE
#if defined(WEFT_NOTHING_DIFFERS) && !defined(WEFT_INITIAL)
  if (head > 0u) before = weft_value_nothing();
#endif
  weft_store_element(destination, 0u, i, before);
#else
  weft_store_element(destination, 0u, i, running);
#endif
}

void scan_segments(WeftCandidates c, uint tile, WEFT_VALUE running) {
  uvec2 source = weft_part_of(args.source, T_BYTES, tile, 0u);
  uvec2 destination = weft_part_of(args.destination, T_BYTES, tile, 0u);
  for (uint i = 0u; i < c.heads; ++i) scan_at(source, destination, i, 1u, running);
  uint marks[weft_block], first = c.heads;
  while (c.count > 0u) {
    source = weft_part_of(args.source, T_BYTES, tile, first);
    destination = weft_part_of(args.destination, T_BYTES, tile, first);
    uint count = weft_mark_block(c, marks);
    if (tile == 0u && first == 0u) marks[0] = 1u;  // The first of all elements is a head even if offsets begin later.
    for (uint i = 0u; i < count; ++i) scan_at(source, destination, i, marks[i], running);
    first += count;
  }
}

void main() {
  WeftExtent extent = weft_segments_extent();
  uint tile = weft_take_tile(args.ticket);
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);
  WeftCandidates candidates = weft_head_candidates(tile, limit);
  WeftSegment total = weft_tile_segment(candidates, weft_find_heads(candidates), tile, limit);
  WeftSegment carry = weft_segment_carry(args.carries, tile, total);
  scan_segments(candidates, tile, scan_from_start(carry.value));
}
