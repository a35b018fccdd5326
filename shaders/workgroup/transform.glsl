// The elements of a tile, loaded as they are or computed from one or two sources each.
//
// Gives:    void weft_load_source(out x, source, second, vectors, tile, run, limit, outside)
//                   the run of rows with index `run` of that tile, like weft_load_rows() of weft/workgroup/tile.glsl
// Macros:   those of weft/workgroup/tile.glsl
//           WEFT_TRANSFORM       optional: GLSL expression of `x`, the source, and of its index: `i`, the low 32 bits,
//                                and `i_high`, the others. Sources are then the keys of weft/workgroup/keys.glsl
//           WEFT_TRANSFORM_TWO   optional: the expression also uses `y`, from the memory at `second`
// Usage:    T x[WEFT_ROWS][WEFT_PACK];
//           weft_load_source(x, args.source, args.second, vectors, tile, gl_SubgroupID, limit, weft_identity());
#ifndef WEFT_WORKGROUP_TRANSFORM
#define WEFT_WORKGROUP_TRANSFORM

#include "weft/workgroup/tile.glsl"

#ifdef WEFT_TRANSFORM
#include "weft/workgroup/keys.glsl"

T weft_transform(K x, K y, uint i, uint i_high) {
#ifdef WEFT_FIXED_ORDER
  precise
#endif
  T result = WEFT_TRANSFORM;
  return result;
}

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
