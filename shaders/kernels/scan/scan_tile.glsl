// Shared by the first and the last dispatch of a scan: push constants, and a tile's elements.
//
// Gives:    args, weft_scan_extent()
//           void weft_load_scan_tile(out x, tile, limit)   with the identity past `limit`
// Macros:   those of weft/thread/operator.glsl, which is included before, and of weft/workgroup/transform.glsl
#ifndef WEFT_KERNELS_SCAN_TILE
#define WEFT_KERNELS_SCAN_TILE

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/workgroup/transform.glsl"

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

void weft_load_scan_tile(out T x[WEFT_ROWS][WEFT_PACK], uint tile, uint limit) {
  weft_load_source(x, args.source, args.second, weft_has(args.options, weft_source_vectors), tile, gl_SubgroupID, limit,
                   weft_identity());
}

#endif
