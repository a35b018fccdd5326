#version 460
// First of the three dispatches of compaction without waiting: how many of each tile's elements are selected.
//
// Inputs:  `count` elements at source; as many flags where no macro selects; one workgroup for each tile.
// Tile:    workgroup size * WEFT_ROWS packs, the same as in compact_tiles.comp. scan_spine.comp comes in between.
// After:   Blelloch 1990, Prefix Sums and Their Applications.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/workgroup/scan_counts.glsl"

#include "weft/thread/element.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/select/selected_tile.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer TileCounts { WeftIndex tile[]; };

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  uvec2 flags;
  TileCounts counts;
  WeftCount count_on_device;
  uvec2 count;
  uint options;
} args;

void main() {
  WeftExtent extent =
      weft_extent(weft_count(args.count, weft_has(args.options, weft_count_on_device), args.count_on_device));
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);

  uint masks[WEFT_ROWS];
#if defined(WEFT_WHERE) || defined(WEFT_SAME)
  T x[WEFT_ROWS][WEFT_PACK];
  weft_load_selected(x, masks, args.source, args.flags, args.options, tile, limit);
#else
  weft_select_rows(args.flags, weft_has(args.options, weft_flags_vectors), tile, gl_SubgroupID, limit, masks);
#endif
  uint selected = 0u, total;
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) selected += uint(bitCount(masks[row]));
  weft_count_workgroup_exclusive_scan(selected, total);
  if (gl_LocalInvocationIndex == 0u) args.counts.tile[tile] = weft_index(total);
}
