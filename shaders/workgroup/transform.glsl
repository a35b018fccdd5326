// The elements of a tile, loaded as they are or computed from one or two sources each.
//
// Gives:    void weft_load_source(out x, source, second, vectors, tile, run, limit, outside)
//                   the run of rows with index `run` of that tile, like weft_load_rows() of weft/workgroup/tile.glsl
// Macros:   those of weft/workgroup/tile.glsl and, with WEFT_TRANSFORM, of weft/thread/transform.glsl
// Usage:    T x[WEFT_ROWS][WEFT_PACK];
//           weft_load_source(x, args.source, args.second, vectors, tile, gl_SubgroupID, limit, weft_identity());
#ifndef WEFT_WORKGROUP_TRANSFORM
#define WEFT_WORKGROUP_TRANSFORM

#include "weft/workgroup/tile.glsl"

#ifdef WEFT_TRANSFORM
#include "weft/thread/transform.glsl"
#include "weft/workgroup/keys.glsl"

void weft_load_source(out T x[WEFT_ROWS][WEFT_PACK], uvec2 source, uvec2 second, bool vectors, uint tile, uint run,
                      uint limit, T outside) {
  K first_sources[WEFT_ROWS][WEFT_PACK], second_sources[WEFT_ROWS][WEFT_PACK];
  weft_load_keys(first_sources, source, vectors, tile, run, limit);
#ifdef WEFT_TRANSFORM_TWO
  weft_load_keys(second_sources, second, vectors, tile, run, limit);
#else
  second_sources = first_sources;
#endif
  uvec2 start = weft_multiply(uvec2(tile, 0u), weft_tile_size());
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint first = weft_pack_index(run, row) * WEFT_PACK;
    [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
      uvec2 index = weft_add(start, first + uint(k));
      x[row][k] = outside;
      if (first + uint(k) < limit) {
        x[row][k] = weft_transform(first_sources[row][k], second_sources[row][k], index.x, index.y);
      }
    }
  }
}

#else
void weft_load_source(out T x[WEFT_ROWS][WEFT_PACK], uvec2 source, uvec2 second, bool vectors, uint tile, uint run,
                      uint limit, T outside) {
  weft_load_rows(x, source, vectors, tile * weft_tile_blocks(), run, limit, outside);
}
#endif

#endif
