#version 460
// Morton codes of points: destination[i] = the code of the cell of source[i].
//
// Inputs:  `count` elements with a point each, WEFT_POINT of WEFT_DIMENSIONS floats; the low and the high corner of the
//          bounds in which cells are counted.
// Tile:    workgroup size * WEFT_ROWS packs.
// After:   Morton 1966, A Computer Oriented Geodetic Data Base.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/thread/box.glsl"
#include "weft/thread/memory.glsl"
#include "weft/thread/morton.glsl"

#if WEFT_DIMENSIONS == 2
#define Point vec2
#define Cell uvec2
const uint bits = T_WORDS == 1 ? 16u : 32u;
#else
#define Point vec3
#define Cell uvec3
const uint bits = T_WORDS == 1 ? 10u : 21u;
#endif

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  uvec2 bounds;
  uvec2 destination;
  WeftCount count_on_device;
  uvec2 count;
  uint options;
}
args;

float low[WEFT_DIMENSIONS], scale[WEFT_DIMENSIONS];

void find_scale() {
  [[unroll]] for (int axis = 0; axis < WEFT_DIMENSIONS; ++axis) {
    low[axis] = uintBitsToFloat(weft_load_word(args.bounds, 0u, uint(axis)));
    float high = uintBitsToFloat(weft_load_word(args.bounds, 0u, uint(axis + WEFT_DIMENSIONS)));
    scale[axis] = weft_morton_scale(low[axis], high, bits);
  }
}

T code_of(Point point) {
  Cell cell;
  [[unroll]] for (int axis = 0; axis < WEFT_DIMENSIONS; ++axis) {
    cell[axis] = weft_morton_cell(point[axis], low[axis], scale[axis], bits);
  }
#if T_WORDS == 1
  return weft_morton(cell);
#else
  return weft_morton_wide(cell);
#endif
}

#include "weft/workgroup/keys.glsl"

// Precise: a middle such as 0.5 * a + 0.5 * b must not become 0.5 * (a + b), which overflows.
T code_at(K x, uint i, uint i_high) {
  precise Point point = WEFT_POINT;
  return code_of(point);
}

#define WEFT_TRANSFORM code_at(x, i, i_high)
#include "weft/workgroup/transform.glsl"

void main() {
  WeftExtent extent = weft_extent(weft_count(args.count, args.options, args.count_on_device));
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;
  find_scale();
  uint limit = weft_tile_limit(extent, tile);
  T codes[WEFT_ROWS][WEFT_PACK];
  weft_load_source(codes, args.source, uvec2(0u), weft_has(args.options, weft_source_vectors), tile, gl_SubgroupID,
                   limit, weft_zero());
  weft_store_rows(codes, args.destination, weft_has(args.options, weft_destination_vectors), tile * weft_tile_blocks(),
                  gl_SubgroupID, limit);
}
