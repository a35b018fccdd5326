// Push constants of run-length encoding, the same for each of its dispatches, and the carry from tile to tile.
//
// Gives:    args, weft_run_extent()
//           weft_take_tile(), weft_segment_carry() and the rest of weft/device/tile_carry.glsl, for WeftSegment: the
//           number of runs, and the length so far of the last one
//           what weft/thread/element_type.glsl gives
// Macros:   those of weft/thread/element_type.glsl, weft/thread/segment.glsl, weft/device/tile_carry.glsl and
//           weft/workgroup/extent.glsl
#ifndef WEFT_KERNELS_RUN_LENGTH_ARGUMENTS
#define WEFT_KERNELS_RUN_LENGTH_ARGUMENTS

#include "weft/thread/count.glsl"
#define T WeftIndex
#define WEFT_COMBINE weft_add(a, b)
#define WEFT_IDENTITY weft_index(0u)
#include "weft/thread/segment.glsl"

#include "weft/device/tile_carry.glsl"
#undef T
#undef WEFT_OP

#include "weft/thread/element_type.glsl"

#include "weft/kernels/base/options.glsl"
#include "weft/workgroup/extent.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  uvec2 destination;
  uvec2 lengths;
  WeftCount runs;
  WeftCount count_on_device;
  uvec2 count;
  WeftTicket ticket;
  uvec2 carries;
  uint options;
} args;

WeftExtent weft_run_extent() {
  return weft_extent(weft_count(args.count, args.options, args.count_on_device));
}

#endif
