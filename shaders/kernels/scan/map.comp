#version 460
// A map: destination[i] = an expression of source[i] and i, of source[i], second[i] and i, or of i alone.
//
// Inputs:  `count` elements at source, and with WEFT_TRANSFORM_TWO at second: see weft/workgroup/transform.glsl. None
//          with WEFT_ELEMENT_AT, the expression of `i` and `i_high`.
// Tile:    workgroup size * WEFT_ROWS packs. Each lane stores the elements that it loaded, so the destination may be
//          the source.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/scan/map.glsl"
#include "weft/workgroup/transform.glsl"

#ifdef WEFT_ELEMENT_AT
// Elements past the limit too: they are not stored.
void compute(out T x[WEFT_ROWS][WEFT_PACK], uint tile, uint limit) {
  uvec2 start = weft_multiply(uvec2(tile, 0u), weft_tile_size());
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
      uvec2 index = weft_add(start, weft_pack_index(gl_SubgroupID, row) * WEFT_PACK + uint(k));
      x[row][k] = weft_element_at(index.x, index.y);
    }
  }
}
#else
void compute(out T x[WEFT_ROWS][WEFT_PACK], uint tile, uint limit) {
  weft_load_source(x, args.source, args.second, weft_has(args.options, weft_source_vectors), tile, gl_SubgroupID, limit,
                   weft_zero());
}
#endif

void main() {
  WeftExtent extent = weft_extent(weft_count(args.count, args.options, args.count_on_device));
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);
  T x[WEFT_ROWS][WEFT_PACK];
  compute(x, tile, limit);
  weft_store_rows(x, args.destination, weft_has(args.options, weft_destination_vectors), tile * weft_tile_blocks(),
                  gl_SubgroupID, limit);
}
