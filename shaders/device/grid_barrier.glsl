// A barrier for the workgroups of one dispatch, which may be passed any number of times.
//
// Gives:    WeftGridBarrier   buffer reference to a barrier; weft::GridBarrier has its size and clears it
//           void weft_grid_barrier(WeftGridBarrier grid, uint groups)
//                             returns when `groups` workgroups have called it for this barrier; what any of their
//                             invocations wrote to buffers before, all of them may read after it
// Macros:   none
// Usage:    layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { nonprivate uint at[]; };
//           ...
//           args.words.at[mine] = x;
//           weft_grid_barrier(args.barrier, gl_NumWorkGroups.x);
//           uint y = args.words.at[other];
//
// Progress: P2. Each workgroup waits for all others, so all of them must run at once. Dispatch no more than
//           Kernel::resident_workgroups(), which weft::GridBarrier checks, or take the workgroups that
//           weft/device/grid_discover.glsl finds. With more, the dispatch never ends. See docs/devices.md.
//
// All invocations of the workgroup call it together, with the same arguments, in all workgroups equally often. Buffers
// through which workgroups pass values have `nonprivate` members: the Vulkan memory model orders no others. Workgroup
// memory is ordered too. One invocation of each workgroup polls; the others wait at a barrier of the workgroup, so no
// lane waits for a lane of its own subgroup. (Gupta, Stuart and Owens 2012, persistent threads.)
#ifndef WEFT_DEVICE_GRID_BARRIER
#define WEFT_DEVICE_GRID_BARRIER

#pragma use_vulkan_memory_model
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require
#include "weft/workgroup/meet.glsl"

// Two cache lines: arrivals do not disturb the polling.
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftGridBarrier {
  uint arrived;  // Workgroups that wait; zero between two passes.
  uint unused[31];
  uint generation;  // Passes so far. The workgroups only look for a change, so that it may wrap around.
  uint unused_too[31];
};

// For one invocation of each workgroup.
void weft_grid_meet(WeftGridBarrier grid, uint groups) {
  // Before the arrival: after it, the generation may change at any time.
  uint generation = atomicLoad(grid.generation, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
  uint before = atomicAdd(grid.arrived, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                          gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
  if (before + 1u >= groups) {
    atomicStore(grid.arrived, 0u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
    atomicStore(grid.generation, generation + 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                gl_SemanticsRelease | gl_SemanticsMakeAvailable);
  } else {
    while (atomicLoad(grid.generation, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed) == generation) {
    }
    memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire | gl_SemanticsMakeVisible);
  }
}

void weft_grid_barrier(WeftGridBarrier grid, uint groups) {
  weft_workgroup_meet();
  if (gl_LocalInvocationIndex == 0u) weft_grid_meet(grid, groups);
  weft_workgroup_meet();
}

#endif
