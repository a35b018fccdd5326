#version 460
// Enqueue with one atomic for each workgroup, whose invocations hold several elements each.
//
// Inputs:  `count` elements at source; the queue's count, set to zero; one workgroup for each tile.
// Tile:    workgroup size * WEFT_ROWS packs, written side by side by way of workgroup memory.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/select/enqueue.glsl"
#include "weft/workgroup/store_selected.glsl"

void main() {
  T x[WEFT_ROWS][WEFT_PACK];
  uint masks[WEFT_ROWS], limit;
  if (!weft_load_own_tile(x, masks, limit)) return;
  uint before[WEFT_ROWS], total = weft_rank_selected(masks, before);
  WeftIndex slot = weft_enqueue_tile(args.queue, total);
  weft_store_selected(args.destination, slot, x, masks, before);
}
