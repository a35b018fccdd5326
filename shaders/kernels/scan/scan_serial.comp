#version 460
// Prefix scan, as shaders/kernels/scan/scan.comp, by workgroups of one invocation.
//
// Inputs:  as there.
// Macros:  as there.
// Tile:    WEFT_ROWS packs, read for its total, and again from the cache once its carry is known. The second time, it
//          is divided into strips that take turns, so that no sum waits for the one before it.
// After:   Zhang, Wang and Ross 2023, Parallel Prefix Sum with SIMD (partitions that fit into the cache).
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/count.glsl"
#include "weft/thread/element_type.glsl"

#include "weft/thread/operator.glsl"

#include "weft/device/tile_carry.glsl"
#include "weft/kernels/scan/arguments.glsl"
#include "weft/serial/reduce.glsl"

// Consecutive elements of a tile, and their running total.
struct Strip {
  WeftSource source;
  uvec2 destination;
  uint count;
  T running;
};

Strip strip_at(uint tile, uint begin, uint count) {
  return Strip(weft_source_of(args.source, args.second, tile, begin),
               weft_part_of(args.destination, T_BYTES, tile, begin), count,
               weft_serial_reduce(args.source, args.second, tile, begin, begin + count));
}

// The total so far in place of the strip's own, which it returns combined with that.
T begin_with(T before, inout Strip strip) {
  T total = weft_combine(before, strip.running);
  strip.running = before;
  return total;
}

void scan_at(inout Strip strip, uint i) {
  T before = strip.running;
  strip.running = weft_combine(before, weft_source_at(strip.source, i));
#ifdef WEFT_EXCLUSIVE
  weft_store_element(strip.destination, 0u, i, before);
#else
  weft_store_element(strip.destination, 0u, i, strip.running);
#endif
}

void main() {
  WeftExtent extent = weft_scan_extent();
  uint tile = weft_take_tile(args.ticket);
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile), quarter = limit / 4u;

  Strip a = strip_at(tile, 0u, quarter), b = strip_at(tile, quarter, quarter);
  Strip c = strip_at(tile, 2u * quarter, quarter), d = strip_at(tile, 3u * quarter, limit - 3u * quarter);
  T total = weft_combine(weft_combine(weft_combine(a.running, b.running), c.running), d.running);
  T carry = weft_carry(args.carries, tile, total);
#ifdef WEFT_INITIAL
  carry = weft_combine(WEFT_INITIAL, carry);
#endif

  carry = begin_with(begin_with(begin_with(begin_with(carry, a), b), c), d);
  for (uint i = 0u; i < quarter; ++i) {
    scan_at(a, i);
    scan_at(b, i);
    scan_at(c, i);
    scan_at(d, i);
  }
  for (uint i = quarter; i < d.count; ++i) scan_at(d, i);
#if defined(WEFT_NOTHING_DIFFERS) && defined(WEFT_EXCLUSIVE) && !defined(WEFT_INITIAL)
  if (tile == 0u && limit > 0u) weft_store_element(args.destination, 0u, 0u, weft_nothing());
#endif
}
