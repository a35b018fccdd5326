#version 460
// Run-length decoding: destination[i] = the value of the run that contains element i.
//
// Inputs:  values, one for each run; offsets, the index of each run's first element, followed by the number of
//          elements; `capacity`, the elements that the destination has room for; one workgroup for each tile of those.
// Tile:    workgroup size * WEFT_ROWS packs of the destination, each written once. Work is divided by elements, so
//          neither a huge run nor many empty ones delay a workgroup.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/workgroup/scan_counts.glsl"

#include "weft/thread/element_type.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/runs/run_length_decode.glsl"
#include "weft/workgroup/heads_at_offsets.glsl"

void main() {
  uint tile = weft_group_index();
  WeftIndex runs = weft_index(weft_count(args.runs, args.options, args.runs_on_device));
  uvec2 count = weft_min(weft_wide(weft_load_index(args.offsets, runs)), args.capacity);
  if (tile == 0u && gl_LocalInvocationIndex == 0u) weft_write_count(args.decoded, args.options, count);
  uint limit = weft_tile_limit(weft_extent(count), tile);
  if (limit == 0u) return;

  uint masks[WEFT_ROWS], before[WEFT_ROWS], heads;
  WeftOffsetRange range = weft_head_rows_at(args.offsets, weft_add(runs, weft_index(1u)), tile, limit, masks);
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) before[row] = uint(bitCount(masks[row]));
  weft_count_workgroup_scan_rows(before, heads);
  bool distinct = weft_subtract(range.end, range.first) == weft_index(heads);

  T x[WEFT_ROWS][WEFT_PACK];
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint first = weft_pack_index(gl_SubgroupID, row) * WEFT_PACK;
    WeftIndex pack = weft_add(weft_tile_start(tile), weft_index(first));
    [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
      x[row][k] = weft_zero();
      if (first + uint(k) < limit) {
        x[row][k] = weft_load_at(args.values,
                                 weft_run_of(args.offsets, range, distinct, masks[row], before[row], pack, uint(k)));
      }
    }
  }
  weft_store_rows(x, args.destination, weft_has(args.options, weft_destination_vectors), tile * weft_tile_blocks(),
                  gl_SubgroupID, limit);
}
