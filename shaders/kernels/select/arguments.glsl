// Push constants of compaction and partition, the same for each of their dispatches, and the carry from tile to tile.
//
// Gives:    args, weft_selection_count()
//           weft_take_tile(), weft_index_carry() and the rest of weft/device/tile_carry.glsl, for counts of selected
//           elements
//           what weft/thread/element_type.glsl gives
// Macros:   those of weft/device/tile_carry.glsl and weft/thread/element_type.glsl
#ifndef WEFT_KERNELS_SELECT_ARGUMENTS
#define WEFT_KERNELS_SELECT_ARGUMENTS

#include "weft/subgroup/index_sum.glsl"

#include "weft/device/tile_carry.glsl"
#undef T
#undef WEFT_OP

#include "weft/thread/element_type.glsl"

#include "weft/kernels/base/options.glsl"

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
