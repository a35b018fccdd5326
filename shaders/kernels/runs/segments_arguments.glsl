// Push constants of segmented scans and reductions, the same for each of their dispatches, and the type of values.
//
// Gives:    args, weft_segments_extent(), WEFT_VALUE, and with WEFT_INITIAL weft_initial()
//           WeftIndex weft_segment_count()   with WEFT_HEADS_AT_OFFSETS
// Macros:   those of weft/thread/element_type.glsl and weft/workgroup/extent.glsl
#ifndef WEFT_KERNELS_SEGMENTS_ARGUMENTS
#define WEFT_KERNELS_SEGMENTS_ARGUMENTS

#include "weft/thread/element_type.glsl"

#ifdef WEFT_SCALAR
#define WEFT_VALUE WEFT_SCALAR
#else
#define WEFT_VALUE WeftElement
#endif

// Here, because T is WeftSegment below.
#ifdef WEFT_INITIAL
WEFT_VALUE weft_initial() { return WEFT_INITIAL; }
#endif

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/workgroup/extent.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 heads;  // Keys, flags or offsets.
  uvec2 source;
  uvec2 keys_destination;
  uvec2 destination;
  WeftCount segments;  // For offsets read: one less than offsets. For keys and flags written.
  uvec2 segment_number;
  WeftCount count_on_device;
  uvec2 count;
  WeftTicket ticket;
  uvec2 carries;
  uint options;
} args;

WeftExtent weft_segments_extent() {
  return weft_extent(weft_count(args.count, args.options, args.count_on_device));
}

#ifdef WEFT_HEADS_AT_OFFSETS
WeftIndex weft_segment_count() {
  return weft_index(weft_second_count(args.segment_number, args.options, args.segments));
}
#endif

#endif
