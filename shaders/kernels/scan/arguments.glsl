// Push constants of a scan, the same for each of its dispatches.
//
// Gives:    args, weft_scan_extent()
// Macros:   those of weft/workgroup/extent.glsl
#ifndef WEFT_KERNELS_SCAN_ARGUMENTS
#define WEFT_KERNELS_SCAN_ARGUMENTS

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/workgroup/extent.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  uvec2 second;
  uvec2 destination;
  WeftCount count_on_device;
  uvec2 count;
  WeftTicket ticket;
  uvec2 carries;
  uint options;
  uint unused;
} args;

WeftExtent weft_scan_extent() {
  return weft_extent(weft_count(args.count, args.options, args.count_on_device));
}

#endif
