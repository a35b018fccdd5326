#version 460
// Enqueue into two queues: the selected elements into one and the others into the other, with one atomic on each for a
// workgroup.
//
// Inputs:  `count` elements at source; the counts of both queues, set to zero; one workgroup for each tile.
// Tile:    workgroup size * WEFT_ROWS packs, written side by side by way of workgroup memory.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/select/enqueue.glsl"
#include "weft/kernels/select/partitioned_tile.glsl"

void main() {
  T x[WEFT_ROWS][WEFT_PACK];
  uint masks[WEFT_ROWS], limit;
  if (!weft_load_own_tile(x, masks, limit)) return;
  uint before[WEFT_ROWS], total = weft_rank_selected(masks, before);
  WeftIndex slot, others_slot;
  weft_enqueue_tile_two(args.queue, total, args.others, limit - total, slot, others_slot);
  weft_store_partition(args.destination, slot, args.others_destination, others_slot, x, masks, before, limit, total);
}
