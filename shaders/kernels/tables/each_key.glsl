// main() of the kernels that process an array of keys: a tile for each workgroup.
//
// Needs:    what weft/kernels/tables/keys.glsl needs
#include "weft/kernels/tables/counts.glsl"
#include "weft/kernels/tables/keys.glsl"

void main() {
  WeftExtent extent = weft_keys_extent();
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);
  uvec3 results = uvec3(0u);
  for (uint element = gl_LocalInvocationIndex; element < limit; element += gl_WorkGroupSize.x) {
    results += weft_one(weft_process_one(tile, element));
  }
  weft_add_results(args.counts, args.options, results);
}
