#version 460
// Last dispatch of a radix selection: gathers the keys before the k-th one, and enough of those equal to it to make k,
// in no particular order; with WEFT_INDICES also their indices.
//
// Inputs:  `count` keys at source, the counts of all passes, and two counts of gathered keys that were set to zero; one
//          workgroup for each tile.
// Tile:    workgroup size * WEFT_ROWS packs, gathered in workgroup memory and written side by side.
// After:   Alabi et al. 2012, Fast k-selection algorithms for graphics processing units.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/device/enqueue.glsl"

#include "weft/kernels/select/top_k.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/thread/indices.glsl"
#include "weft/workgroup/select.glsl"
#include "weft/workgroup/stage.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  uvec2 destination;
  uvec2 indices;
  WeftTopCounts counts;
  WeftQueue before;
  WeftQueue equal;
  WeftCount found;
  WeftCount count_on_device;
  uvec2 count;
  uvec2 k;
  uint options;
} args;

void main() {
  uvec2 count = weft_count(args.count, args.options, args.count_on_device);
  WeftIndex wanted = weft_index(weft_min(args.k, count));
  uint tile = weft_group_index();
  if (tile == 0u && gl_LocalInvocationIndex == 0u) weft_write_count(args.found, args.options, weft_wide(wanted));
  WeftExtent extent = weft_extent(count);
  if (wanted == weft_index(0u) || tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);

  // Takes all keys before the k-th one, and `needed` of those equal to it.
  uvec2 kth = uvec2(0u);
  WeftIndex needed = wanted;
  weft_find_digits(args.counts, WEFT_TOP_PASSES, kth, needed);

  T x[WEFT_ROWS][WEFT_PACK];
  weft_load_rows(x, args.source, weft_has(args.options, weft_source_vectors), tile * weft_tile_blocks(), gl_SubgroupID,
                 limit, weft_zero());
  uint less[WEFT_ROWS], same[WEFT_ROWS], before[WEFT_ROWS], total;
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    less[row] = same[row] = 0u;
    [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
      uvec2 bits = weft_top_bits(x[row][k]);
      if (weft_less(bits, kth)) less[row] |= 1u << uint(k);
      if (bits == kth) same[row] |= 1u << uint(k);
    }
    uint there = weft_all_in_pack(gl_SubgroupID, row, limit);
    less[row] &= there;
    same[row] &= there;
    before[row] = uint(bitCount(less[row])) | uint(bitCount(same[row])) << 16;
  }
  weft_count_workgroup_scan_rows(before, total);
  uint lesser = total & 0xFFFFu, equals = total >> 16;
  if (total == 0u) return;

  uint lesser_before[WEFT_ROWS], equals_before[WEFT_ROWS];
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    lesser_before[row] = before[row] & 0xFFFFu;
    equals_before[row] = before[row] >> 16;
  }
  bool any_lesser = lesser > 0u, any_equal = equals > 0u;
  if (any_lesser) weft_stage_rows(x, less, lesser_before, 0u);
  if (any_equal) weft_stage_rows(x, same, equals_before, lesser);
  WeftIndex slot, equal_slot;
  weft_enqueue_tile_two(args.before, lesser, args.equal, equals, slot, equal_slot);  // Has barriers.
  WeftIndex room = weft_less(equal_slot, needed) ? weft_subtract(needed, equal_slot) : weft_index(0u);
  equals = weft_low(weft_min(weft_index(equals), room));
  equal_slot = weft_add(equal_slot, weft_subtract(wanted, needed));
  weft_store_staged(args.destination, slot, 0u, lesser);
  weft_store_staged(args.destination, equal_slot, lesser, equals);
#ifdef WEFT_INDICES
  barrier();
  if (any_lesser) weft_stage_indices(less, lesser_before, 0u, 0u);
  if (any_equal) weft_stage_indices(same, equals_before, 0u, lesser);
  barrier();
  WeftIndex first = weft_product(tile, weft_tile_size());
  for (uint i = gl_LocalInvocationIndex; i < lesser + equals; i += gl_WorkGroupSize.x) {
    WeftIndex at = i < lesser ? weft_add(slot, weft_index(i)) : weft_add(equal_slot, weft_index(i - lesser));
    weft_store_index(args.indices, at, weft_add(first, weft_index(weft_staged[i])));
  }
#endif
}
