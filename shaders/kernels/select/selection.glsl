// Shared by the dispatches of compaction and partition: push constants, and the ranks of tiles.
//
// Gives:    args, weft_selection_count()
//           what weft/kernels/select/selected_tile.glsl gives
//           weft_take_tile(), weft_index_carry() and the rest of weft/device/tile_carry.glsl, for counts of selected
//           elements
// Macros:   those of weft/kernels/select/selected_tile.glsl and weft/device/tile_carry.glsl
#ifndef WEFT_KERNELS_SELECTION
#define WEFT_KERNELS_SELECTION

#include "weft/workgroup/scan_counts.glsl"

#include "weft/subgroup/index_sum.glsl"

#include "weft/device/tile_carry.glsl"
#undef T
#undef WEFT_OP

#include "weft/thread/element_type.glsl"

#include "weft/kernels/select/selected_tile.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  uvec2 flags;
  uvec2 destination;
  uvec2 others;  // For partition.
  WeftCount selected;
  WeftCount count_on_device;
  uvec2 count;
  WeftTicket ticket;
  uvec2 carries;
  uvec2 all_selected;  // For WEFT_BEHIND: one WeftIndex, the number of all selected elements.
  uint options;
  uint unused;
} args;

uvec2 weft_selection_count() {
  return weft_count(args.count, args.options, args.count_on_device);
}

#endif
