// Shared by the first and the last dispatch of a scan: a tile's elements.
//
// Gives:    everything in weft/kernels/scan/arguments.glsl
//           void weft_load_scan_tile(out x, tile, limit)   with the identity past `limit`
// Macros:   those of weft/thread/operator.glsl, which is included before, and of weft/workgroup/transform.glsl
#ifndef WEFT_KERNELS_SCAN_TILE
#define WEFT_KERNELS_SCAN_TILE

#include "weft/kernels/scan/arguments.glsl"
#include "weft/workgroup/transform.glsl"

void weft_load_scan_tile(out T x[WEFT_ROWS][WEFT_PACK], uint tile, uint limit) {
  weft_load_source(x, args.source, args.second, weft_has(args.options, weft_source_vectors), tile, gl_SubgroupID, limit,
                   weft_identity());
}

#endif
