// Shared by the dispatches of compaction and partition: push constants, and the ranks of tiles.
//
// Gives:    everything in weft/kernels/select/arguments.glsl
//           what weft/kernels/select/selected_tile.glsl gives
// Macros:   those of weft/kernels/select/selected_tile.glsl and weft/device/tile_carry.glsl
#ifndef WEFT_KERNELS_SELECTION
#define WEFT_KERNELS_SELECTION

#include "weft/workgroup/scan_counts.glsl"

#include "weft/kernels/select/arguments.glsl"
#include "weft/kernels/select/selected_tile.glsl"

#endif
