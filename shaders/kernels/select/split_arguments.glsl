// Push constants of a split, the same for each of its dispatches, and the carry from tile to tile.
//
// Gives:    args, weft_split_extent()
//           weft_take_tile(), weft_pair_carry() and the rest of weft/device/tile_carry.glsl, for pairs of counts: of
//           the first output's elements and of the second's
//           WeftIndex weft_start_of_tile(tile)
//           void weft_write_split_count(uint output_index, WeftIndex count)
//           what weft/thread/element_type.glsl gives
// Macros:   those of weft/device/tile_carry.glsl, weft/thread/element_type.glsl and weft/workgroup/extent.glsl
#ifndef WEFT_KERNELS_SPLIT_ARGUMENTS
#define WEFT_KERNELS_SPLIT_ARGUMENTS

#include "weft/thread/index_pair.glsl"
#define T WeftIndexPair
#define WEFT_OP(name) weft_pair_##name
#define WEFT_COMBINE weft_add_pairs(a, b)
#define WEFT_IDENTITY WeftIndexPair(0u)
#include "weft/thread/operator.glsl"

#include "weft/device/tile_carry.glsl"
#undef T
#undef WEFT_OP

#include "weft/thread/element_type.glsl"

#include "weft/kernels/base/options.glsl"
#include "weft/workgroup/extent.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  uvec2 first;
  uvec2 second;
  uvec2 third;
  uvec2 counts;
  WeftCount count_on_device;
  uvec2 count;
  WeftTicket ticket;
  uvec2 carries;
  uint options;
  uint unused;
} args;

WeftExtent weft_split_extent() {
  return weft_extent(weft_count(args.count, args.options, args.count_on_device));
}

#ifdef WEFT_WIDE_INDEX
WeftIndex weft_start_of_tile(uint tile) { return weft_multiply(uvec2(tile, 0u), weft_tile_size()); }
#else
WeftIndex weft_start_of_tile(uint tile) { return tile * weft_tile_size(); }
#endif

void weft_write_split_count(uint output_index, WeftIndex count) {
  uint bytes = weft_has(args.options, weft_written_count_is_word) ? 4u : 8u;
  weft_write_count(WeftCount(weft_add(args.counts, output_index * bytes)), args.options, weft_wide(count));
}

#endif
