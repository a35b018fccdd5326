#version 460
// The neighbours of each point, by a uniform grid: first their number, then lists.
//
// Inputs:  `count` points in the order of their cells, and the cells' keys. To list: the offsets of all lists.
// Tile:    a point for each invocation. Neighbouring invocations visit the same cells.
// After:   Green 2010, Particle Simulation using CUDA.
//
// The cells of a box around a point are those from the cell of its low corner to that of its high corner, however the
// corners' cells were rounded: a larger coordinate never has a lower cell. So no neighbour is missed. Each row of cells
// along x has consecutive keys.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/kernels/pairs/cells.glsl"
#include "weft/kernels/pairs/neighbours.glsl"
#include "weft/subgroup/search.glsl"

void visit_cells(WeftKdNode own, uint count, inout uvec2 next) {
  float per_unit = uintBitsToFloat(args.per_unit);
  vec3 low = weft_cell_at(low_reach(own.at), per_unit), high = weft_cell_at(high_reach(own.at), per_unit);
  uvec2 x = weft_folded_range(low.x, high.x), y = weft_folded_range(low.y, high.y),
        z = weft_folded_range(low.z, high.z);
  uint i = 0u;
  for (uint layer = z.x; layer <= z.y; ++layer) {
    for (uint row = y.x; row <= y.y; ++row) {
      uint last = weft_cell_key(uvec3(x.y, row, layer));
      i = weft_lower_bound(args.keys, i, count, weft_cell_key(uvec3(x.x, row, layer)));
      for (; i < count && weft_load_word(args.keys, 0u, i) <= last; ++i) {
        add_if_near(own, weft_kd_node(args.sorted, i), next);
      }
    }
  }
}

void main() {
  uint count = point_count(), rank = point_rank();
  if (rank == 0u) write_found(count);
  if (rank >= count) return;
  WeftKdNode own = weft_kd_node(args.sorted, rank);
  uvec2 next;
  if (start_list(own, next)) visit_cells(own, count, next);
  end_list(own, next);
}
