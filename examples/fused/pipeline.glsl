// The pipeline of this example: `steps` times, each cell becomes a mean of itself and its neighbours; then the cells
// are summed up. Phase p < steps is a step, from one array into the other. Two more phases sum up each tile, and the
// tiles.
//
// All phases work on tiles of 256 cells, in an order that does not depend on who does which tile: results have the same
// bits however many workgroups there are.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#include "weft/device/grid_barrier.glsl"
#include "weft/device/grid_discover.glsl"

layout(local_size_x = 256) in;
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Cells { nonprivate float at[]; };
layout(push_constant, scalar) uniform Arguments {
  Cells first, second;  // The input, and where the first step writes.
  Cells sums;           // Of each tile; then the sum of all cells.
  WeftGridBarrier barrier;
  WeftGridDiscovery discovery;
  uint count, steps;
  uint phase;   // For a launch of one phase.
  uint groups;  // For one launch of all phases: the number of workgroups, or 0 to find it out.
}
args;

uint tiles() { return (args.count + 255u) / 256u; }
uint phases() { return args.steps + 2u; }
uint tiles_of(uint phase) { return phase < args.steps + 1u ? tiles() : 1u; }

void step(Cells source, Cells destination, uint i) {
  if (i >= args.count) return;
  float left = source.at[i == 0u ? i : i - 1u], right = source.at[i + 1u == args.count ? i : i + 1u];
  destination.at[i] = 0.5 * source.at[i] + 0.25 * (left + right);
}

shared float parts[256];

// The sum of the workgroup's values, in the first invocation.
float sum_of_tile(float x) {
  uint lane = gl_LocalInvocationIndex;
  parts[lane] = x;
  for (uint half_of_them = 128u; half_of_them > 0u; half_of_them /= 2u) {
    barrier();
    if (lane < half_of_them) parts[lane] += parts[lane + half_of_them];
  }
  barrier();
  float sum = parts[0];
  barrier();
  return sum;
}

// Does one tile of a phase. All invocations of the workgroup call it together.
void run_phase(uint phase, uint tile) {
  uint i = tile * 256u + gl_LocalInvocationIndex;
  if (phase < args.steps) {
    if ((phase & 1u) == 0u) {
      step(args.first, args.second, i);
    } else {
      step(args.second, args.first, i);
    }
  } else {
    float x = 0.0;
    if (phase == args.steps) {
      if (i < args.count) x = (args.steps & 1u) == 0u ? args.first.at[i] : args.second.at[i];
    } else {
      for (uint k = gl_LocalInvocationIndex; k < tiles(); k += 256u) x += args.sums.at[k];
    }
    float sum = sum_of_tile(x);
    if (gl_LocalInvocationIndex == 0u) args.sums.at[phase == args.steps ? tile : tiles()] = sum;
  }
}
